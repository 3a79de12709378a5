#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_vectorised.sh COMPILER [FLAG...] : gcc vectorises the rows of kernels of every type of elements, and
# puts no division into the loop of every second index; 77 says that it cannot be asked.
set -eu
"$1" --version | grep -qi 'gcc\|free software foundation' || { echo "skipped: $1 is not gcc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check_type C_TYPE COMPILER FLAG...: one kernel, since gcc names the line of a loop and no function
check_type() {
    c_type=$1
    shift
    cat >"$work/one.k.c" <<END
#include "hit/kernel.h"
HIT_KERNEL(one, (i, j), (out, $c_type, to, "[i, j]"), (in, $c_type, from, "[i-1:i+1, j-1:j+1]"))
{
    hit(to, i, j) = ($c_type)(hit(from, i - 1, j) + hit(from, i + 1, j) + hit(from, i, j - 1) + hit(from, i, j + 1));
}
END
    "$@" -std=c11 -I. -fopt-info-vec-optimized -S "$work/one.k.c" -o "$work/one.s" 2>"$work/report"
    if ! grep -q 'loop vectorized' "$work/report"; then
        echo "$c_type: no loop is vectorised"
        failed=1
    fi
    sed -n '/^one_second:/,/[.]size/p' "$work/one.s" >"$work/second.s"
    if ! [ -s "$work/second.s" ] || grep -q 'idiv\|sdiv' "$work/second.s"; then
        echo "$c_type: expected a loop of every second index that does not divide"
        failed=1
    fi
}

for c_type in uint8_t int32_t int64_t float double; do
    check_type $c_type "$@"
done
exit $failed
