#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kinds.sh HDF5 KINDS [LAUNCHER...]: tiles of each kind of elements, written and reduced on 3 processes, as NumPy and h5py read
# them, and what those write as hit reads it. HDF5 is 1 where hit has it. HIT_READERS_PYTHON: a Python that has them.
set -eu
formats="npy zarr"
[ "$1" != 1 ] || formats="$formats h5"
kinds=$2
shift 2
launcher=$*
python=${HIT_READERS_PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
on() { # on N COMMAND...
    n=$1
    shift
    # shellcheck disable=SC2086
    if [ -n "$launcher" ]; then $launcher "$n" "$@"; else "$@"; fi
}
# shellcheck disable=SC2086
on 3 "$kinds" write "$folder" $formats
# shellcheck disable=SC2086
on 2 "$kinds" read "$folder" $formats
"$python" -c 'import numpy' 2>/dev/null || {
    echo "skipped: numpy is not installed for $python (HIT_READERS_PYTHON names another)"
    exit 77
}
mkdir "$folder/back"
"$python" - "$folder" "$formats" >"$folder/log" <<'PYTHON'
import glob
import os
import shutil
import sys

import numpy

folder, formats = sys.argv[1], sys.argv[2].split()
number = 3 * numpy.arange(35).reshape(5, 7) - 7


def expected(dtype):
    if dtype.kind == "u":
        return numpy.maximum(number, 0).astype(dtype)
    if dtype.kind == "c":
        return (number + 1j * numpy.arange(35).reshape(5, 7)).astype(dtype)
    return number > 0 if dtype.kind == "b" else number.astype(dtype)


def module(name, format):
    if format not in formats:
        print("no", name, "look: hit has no", format)
        return None
    try:
        return __import__(name)
    except ImportError:
        print("no", name, "look: it is not installed")
        return None


h5py, zarr = module("h5py", "h5"), module("zarr", "zarr")
# bfloat16 is no type of NumPy's: two bytes, the upper ones of a float
names = {"bfloat16": "V2", "half": "float16", "float": "float32", "double": "float64", "complex_float": "complex64", "complex_double": "complex128"}
files = glob.glob(folder + "/*.npy")
assert len(files) >= 15, files
for path in files:
    name = os.path.basename(path)[:-4]
    a = numpy.load(path)
    assert a.dtype == numpy.dtype(names.get(name, name)), (name, a.dtype)
    numpy.save("%s/back/%s.npy" % (folder, name), a)
    if name == "bfloat16":
        a = (a.view(numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    assert (a == expected(a.dtype)).all(), (name, a)
    if h5py is not None:
        with h5py.File("%s/%s.h5" % (folder, name)) as file:
            b = file[name][...]
        assert b.dtype == a.dtype and (a == b).all(), (name, b)
        with h5py.File("%s/back/%s.h5" % (folder, name), "w") as file:
            if name == "bfloat16":  # a type of HDF5's, not of h5py's
                with h5py.File("%s/%s.h5" % (folder, name)) as source:
                    source.copy(name, file)
            else:
                file[name] = a
    if zarr is not None and name == "bfloat16":  # an extension that zarr-python does not have
        shutil.copytree("%s/%s.zarr" % (folder, name), "%s/back/%s.zarr" % (folder, name))
    elif zarr is not None:
        c = zarr.open_group("%s/%s.zarr" % (folder, name), mode="r")[name][...]
        assert c.dtype == a.dtype and (a == c).all(), (name, c)
        zarr.open_group("%s/back/%s.zarr" % (folder, name), mode="w").create_array(name, data=a, compressors=None)
PYTHON
back=npy
grep -q "no h5py look" "$folder/log" || back="$back h5"
grep -q "no zarr look" "$folder/log" || back="$back zarr"
# shellcheck disable=SC2086
on 2 "$kinds" read "$folder/back" $back
cat "$folder/log"
