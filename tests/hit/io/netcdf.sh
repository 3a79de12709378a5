#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: netcdf.sh FIELDS [LAUNCHER...]: names and coordinates of dimensions in .h5 files, as the field's readers see them: h5py, netCDF4 (which
# adds to the file), and xarray by netcdf4 and h5netcdf. HIT_READERS_PYTHON: a Python that has them.
set -eu
fields=$1
shift
launcher=$*
python=${HIT_READERS_PYTHON:-python3}
"$python" -c 'import h5py, netCDF4, h5netcdf, xarray' 2>/dev/null || {
    echo "skipped: h5py, netCDF4, h5netcdf and xarray are not installed for $python (HIT_READERS_PYTHON names another)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
on() { # on N COMMAND...
    n=$1
    shift
    # shellcheck disable=SC2086
    if [ -n "$launcher" ]; then $launcher "$n" "$@"; else "$@"; fi
}
for n in 1 3 4; do
    on "$n" "$fields" "$folder/$n.h5" cyclic
    on "$n" "$fields" "$folder/in$n.h5" block write "add=yes,dataset=in/a" # the second one replaces the first
done
"$python" - "$folder" <<'PYTHON'
import sys
import h5py
import netCDF4
import numpy
import xarray

folder = sys.argv[1]
z, y, x = numpy.arange(7), numpy.arange(19), numpy.arange(31)
speed = 10000 * z[:, None, None] + 1000 * y[:, None] + x
depth = 1000 * y[:, None] + x


def look(data):
    assert data["speed"].dims == ("z", "y", "x") and data["depth"].dims == ("y", "x"), data
    assert (data["speed"].values == speed).all() and (data["depth"].values == depth).all()
    assert (data["x"].values == -3 + 0.5 * x).all() and data["x"].attrs == {"units": "m"}, data["x"]
    assert (data["z"].values == [0, 1, 2, 4, 8, 16, 32]).all() and data["z"].attrs == {"units": "\u00b5m"}, data["z"]
    assert "y" not in data.coords and set(data.data_vars) == {"speed", "depth"}, data


for n in (1, 3, 4):
    path = "%s/%d.h5" % (folder, n)
    for engine in ("netcdf4", "h5netcdf"):
        with xarray.open_dataset(path, engine=engine) as data:
            look(data)
    with h5py.File(path) as file:
        assert [d[0].name for d in file["speed"].dims] == ["/z", "/y", "/x"]
        assert file["y"].id.get_storage_size() == 0
    with netCDF4.Dataset(path, "a") as file:
        file.createVariable("more", "f4", ("y", "x"))[:] = 2
        file["speed"][3, 4, 5] = -1
    with xarray.open_dataset(path) as data:
        assert data["speed"][3, 4, 5] == -1 and (data["more"] == 2).all() and list(data["x"]) == list(-3 + 0.5 * x)
    with netCDF4.Dataset("%s/in%d.h5" % (folder, n)) as file:
        found = file["in/a"]
        assert found.dimensions == ("z", "y", "x") and (found[:] == speed).all()
    with h5py.File("%s/in%d.h5" % (folder, n)) as file:
        assert len(file["in/x"].attrs["REFERENCE_LIST"]) == 1  # that of the array that was replaced is gone
PYTHON
for n in 1 3 7; do
    on "$n" "$fields" "$folder/in4.h5" "block:dims=1" write "add=yes,dataset=in/b"
done
