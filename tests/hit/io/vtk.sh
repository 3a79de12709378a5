#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: vtk.sh FIELDS HEAT [LAUNCHER...]: .vtkhdf files as vtkHDFReader reads them: 3 and 2 dimensions, and steps.
# HIT_READERS_PYTHON: a Python that has vtk and numpy.
set -eu
fields=$1
heat=$2
shift 2
launcher=$*
python=${HIT_READERS_PYTHON:-python3}
"$python" -c 'import numpy
from vtkmodules.vtkCommonCore import vtkVersion as v
from vtkmodules.vtkIOHDF import vtkHDFReader
assert (v.GetVTKMajorVersion(), v.GetVTKMinorVersion()) >= (9, 3)' 2>/dev/null || {
    echo "skipped: vtk 9.3 and numpy are not installed for $python (HIT_READERS_PYTHON names another)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
on() { # on N COMMAND...
    n=$1
    shift
    # shellcheck disable=SC2086
    if [ -n "$launcher" ]; then $launcher "$n" "$@" >/dev/null; else "$@" >/dev/null; fi
}
on 4 "$fields" "$folder/one.vtkhdf" cyclic
on 3 "$fields" "$folder/time.vtkhdf" block write time=0 time=0.5 time=1.5
on 3 "$heat" --size 37x23 --steps 9 --output "$folder/flat.vtkhdf"
on 1 "$heat" --size 37x23 --steps 9 --output "$folder/flat.npy"
for n in 1 3 7; do
    on "$n" "$fields" "$folder/one.vtkhdf" "cyclic:dim=1" read
    on "$n" "$fields" "$folder/time.vtkhdf" "block:dims=1" read step=0 step=1 step=-1
done
"$python" - "$folder" <<'PYTHON'
import sys
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader

folder = sys.argv[1]
z, y, x = numpy.arange(7), numpy.arange(19), numpy.arange(31)
speed = 10000.0 * z[:, None, None] + 1000 * y[:, None] + x


def read(name, step=0):
    reader = vtkHDFReader()
    reader.SetFileName("%s/%s.vtkhdf" % (folder, name))
    reader.UpdateInformation()
    reader.SetStep(step)
    reader.Update()
    return reader, reader.GetOutput()


def values(image, name):
    return vtk_to_numpy(image.GetPointData().GetArray(name)).reshape(image.GetDimensions()[::-1])


reader, image = read("one")
assert image.GetDimensions() == (31, 19, 7) and (values(image, "speed") == speed).all()
assert image.GetSpacing() == (0.5, 1, 2) and image.GetOrigin() == (-3, 0, 1), (image.GetSpacing(), image.GetOrigin())
reader, image = read("flat")
assert (values(image, "next" if image.GetPointData().GetArray("next") else "now")[0] == numpy.load(folder + "/flat.npy")).all()
for step in range(3):
    reader, image = read("time", step)
    assert reader.GetNumberOfSteps() == 3 and reader.GetTimeValue() == [0, 0.5, 1.5][step], (reader.GetNumberOfSteps(), reader.GetTimeValue())
    assert (values(image, "speed") == speed + 1e5 * step).all(), step
PYTHON
