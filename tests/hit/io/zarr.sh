#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: zarr.sh ZSTD FIELDS [LAUNCHER...]: .zarr as zarr-python and xarray read it, without a warning, and what they write as hit reads
# it. ZSTD is 1 where hit has libzstd. HIT_READERS_PYTHON: a Python that has them.
set -eu
zstd=$1
fields=$2
shift 2
launcher=$*
python=${HIT_READERS_PYTHON:-python3}
"$python" -c 'import zarr, xarray; assert zarr.__version__ >= "3"' 2>/dev/null || {
    echo "skipped: zarr 3 and xarray are not installed for $python (HIT_READERS_PYTHON names another)"
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
squeeze=
[ "$zstd" != 1 ] || squeeze=compress=zstd,
on 4 "$fields" "$folder/whole.zarr" cyclic
on 3 "$fields" "$folder/time.zarr" block write "${squeeze}time=0" time=0.5 time=1.5
on 4 "$fields" "$folder/shard.zarr" cyclic write "add=yes,${squeeze}3d=chunks=2x4x5 shards=4x8x10"
for n in 1 3 7; do
    on "$n" "$fields" "$folder/whole.zarr" "cyclic:dim=1" read
    on "$n" "$fields" "$folder/time.zarr" "block:dims=1" read step=0 step=1 step=-1
done
# a program that is killed leaves whole steps, and the next one goes on
times=$(seq -f time=%g 0 999)
# shellcheck disable=SC2086
"$fields" "$folder/killed.zarr" block write $times &
pid=$!
while kill -0 $pid 2>/dev/null && [ ! -e "$folder/killed.zarr/speed/c/5" ]; do :; done
kill -9 $pid
wait $pid 2>/dev/null || true
"$python" - "$folder" "$zstd" <<'PYTHON'
import sys
import warnings
import numpy
import xarray
import zarr

warnings.simplefilter("error")
folder, zstd = sys.argv[1], sys.argv[2] == "1"
z, y, x = numpy.arange(7), numpy.arange(19), numpy.arange(31)
speed = 10000.0 * z[:, None, None] + 1000 * y[:, None] + x
depth = (1000 * y[:, None] + x).astype("i4")

with xarray.open_zarr(folder + "/whole.zarr") as data:
    assert data["speed"].dims == ("z", "y", "x") and data["depth"].dims == ("y", "x"), data
    assert (data["speed"].values == speed).all() and (data["depth"].values == depth).all()
    assert (data["x"].values == -3 + 0.5 * x).all() and data["x"].attrs == {"units": "m"}
    assert (data["z"].values == [0, 1, 2, 4, 8, 16, 32]).all() and data["z"].attrs == {"units": "\u00b5m"}
with xarray.open_zarr(folder + "/time.zarr") as data:
    assert list(data["time"]) == [0, 0.5, 1.5]
    for step in range(3):
        assert (data["speed"][step].values == speed + 1e5 * step).all()
        assert (data["depth"][step].values == depth + 100000 * step).all()
shards = zarr.open_group(folder + "/shard.zarr", mode="r")["speed"]
assert shards.shards == (4, 8, 10) and shards.chunks == (2, 4, 5), (shards.shards, shards.chunks)
assert (shards[3:6, 2:9, 7:23] == speed[3:6, 2:9, 7:23]).all() and (shards[:] == speed).all()
with xarray.open_zarr(folder + "/killed.zarr") as data:
    steps = len(data["time"])
    assert 5 <= steps < 1000 and list(data["time"]) == list(range(steps)), steps
    for step in range(steps):
        assert (data["speed"][step].values == speed + 1e5 * step).all(), step
        assert (data["depth"][step].values == depth + 100000 * step).all(), step

squeezed = zarr.codecs.ZstdCodec(checksum=True) if zstd else None
for name, more in {"plain": {}, "shards": {"shards": (4, 20, 40)}, "dots": {"chunk_key_encoding": {"name": "default", "separator": "."}}}.items():
    group = zarr.create_group("%s/%s.zarr" % (folder, name))
    for key, values in (("depth", depth), ("speed", speed)):
        how = dict(more)
        if "shards" in how:
            how["shards"] = how["shards"][3 - values.ndim:]
        array = group.create_array(key, shape=values.shape, dtype=values.dtype, chunks=(2, 10, 20)[3 - values.ndim:], compressors=squeezed, **how)
        array[:] = values
PYTHON
for name in plain shards dots; do
    on 3 "$fields" "$folder/$name.zarr" cyclic read
done
on 2 "$fields" "$folder/killed.zarr" cyclic write time=0 time=1 time=2
on 2 "$fields" "$folder/killed.zarr" cyclic read step=0 step=1 step=2 step=3
