#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: numpy.sh STRICT HEAT [LAUNCHER...]: what heat writes, NumPy reads; what NumPy writes, heat begins with. STRICT is 1 if
# kernels round as they are written, as NumPy does; else the last digits differ, also between loops of unlike strides.
set -eu
case $1 in 1) bound=0 ;; *) bound=1e-6 ;; esac
heat=$2
shift 2
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import numpy' 2>/dev/null || {
    echo "skipped: python3-numpy is not installed"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
on() { # on N COMMAND...
    n=$1
    shift
    if [ -n "$launcher" ]; then
        # shellcheck disable=SC2086
        $launcher "$n" "$@" >/dev/null
    else
        "$@" >/dev/null
    fi
}
launcher=$*
on 3 "$heat" --size 37x23 --steps 9 --layout cyclic --output "$folder/a.npy"
on 2 "$heat" --size 37x23 --steps 4 --output "$folder/half.npy"
on 4 "$heat" --size 37x23 --steps 5 --layout blockcyclic:block=4 --input "$folder/half.npy" --output "$folder/b.npy"
"$python" - "$folder" $bound <<'PYTHON'
import sys
import numpy
folder = sys.argv[1]
bound = float(sys.argv[2])


def expect_equal(found, expected, what):
    assert found.shape == expected.shape, what
    assert numpy.abs(found - expected).max() <= bound, (what, numpy.abs(found - expected).max())


whole = numpy.load(folder + "/a.npy")
expect_equal(whole, numpy.load(folder + "/b.npy"), "9 steps, and 4 steps and 5 more on other processes")
a = numpy.load(folder + "/half.npy")
assert a.shape == (37, 23) and a.dtype == numpy.float32, (a.shape, a.dtype)
assert 0 < a.min() + 1e-6 and a.max() <= 1 and a.std() > 0.01
c = numpy.float32(0.2)
for step in range(5):
    b = a.copy()
    b[1:-1, 1:-1] = a[1:-1, 1:-1] + c * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
                                         - numpy.float32(4) * a[1:-1, 1:-1])
    a = b
expect_equal(whole, a, "9 steps, and NumPy's")
numpy.save(folder + "/mine.npy", a)
PYTHON
on 2 "$heat" --size 37x23 --steps 1 --input "$folder/mine.npy" --output "$folder/next.npy"
if on 2 "$heat" --size 37x24 --steps 1 --input "$folder/mine.npy" 2>"$folder/error"; then
    echo "an array of another shape was taken"
    exit 1
fi
grep -q 'expected an array of 37 x 24 but found 37 x 23' "$folder/error" || {
    cat "$folder/error"
    exit 1
}
