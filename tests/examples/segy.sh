#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: segy.sh SEISMIC: the traces that it writes as SEG-Y, read by segyio, are those that it writes as .npy.
# HIT_READERS_PYTHON: a Python that has segyio.
set -eu
python=${HIT_READERS_PYTHON:-python3}
"$python" -c 'import segyio' 2>/dev/null || {
    echo "skipped: segyio is not installed for $python (HIT_READERS_PYTHON names another)"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in a.npy a.sgy; do
    "$1" --size 160x80 --steps 400 --threads 1 --check --output "$folder/$name" >/dev/null
done
"$python" - "$folder" <<'PYTHON'
import sys
import numpy
import segyio

right = numpy.load(sys.argv[1] + "/a.npy")
with segyio.open(sys.argv[1] + "/a.sgy", ignore_geometry=True) as file:
    assert int(file.format) == 5 and len(file.samples) == right.shape[0] and file.tracecount == right.shape[1] == 160
    assert (file.trace.raw[:].T == right).all() and right.any()
    assert file.bin[segyio.BinField.Interval] == file.header[7][segyio.TraceField.TRACE_SAMPLE_INTERVAL] > 0
    assert file.header[7][segyio.TraceField.GroupX] == round(7 * 12000 / 159 * 1000), file.header[7]
PYTHON
