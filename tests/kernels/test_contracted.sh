#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_contracted.sh STRICT COMPILER [FLAG...] : by these flags the compiler makes one operation of a
# multiplication and an addition, also of those of complex numbers, unless STRICT is 1; 77 says that it cannot be asked.
set -eu
strict=$1
shift
[ "$(uname -m)" = x86_64 ] || { echo "skipped: this is not x86_64"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/one.k.c" <<END
#include "hit/kernel.h"
HIT_KERNEL(one, (i), (inout, double, y, "[i]"), (in, double, x, "[i]"), (value, double, alpha))
{
    hit(y, i) += alpha * hit(x, i);
}
typedef struct complex2 { double re, im; } complex2;
HIT_KERNEL(turned, (i), (out, complex2, y, "[i]"), (in, complex2, x, "[i]"), (value, complex2, a))
{
    const complex2 b = hit(x, i);
    complex2 c;

    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    hit(y, i) = c;
}
END
compiler=$1
shift
"$compiler" -mavx2 -mfma "$@" -std=c11 -I. -S "$work/one.k.c" -o "$work/one.s"
found=$(grep -c 'vfn\?m\(add\|sub\)' "$work/one.s" || true)
echo "$found contracted operations"
if [ "$strict" = 1 ]; then [ "$found" = 0 ]; else [ "$found" != 0 ]; fi
