#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_refused.sh COMPILER : what the body of a HIT_VECTOR_KERNEL cannot do is an error when its vectors are
# compiled, and what it can do is none.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# body ARGUMENTS BODY : compile it
body() {
    printf '#include "hit/kernel.h"\n#include <math.h>\nHIT_VECTOR_KERNEL(one, (i, j), %s)\n{\n%s\n}\n' "$1" "$2" >"$work/one.k.c"
    # shellcheck disable=SC2086
    "$compiler" -std=c11 -I. -O3 $flags -DHIT_KERNEL_VECTOR_HALF -c "$work/one.k.c" -o "$work/one.o" 2>"$work/errors"
}

refused() {
    if body "$@"; then
        echo "compiled: $2"
        failed=1
    elif ! grep -q error "$work/errors"; then
        cat "$work/errors"
        failed=1
    else
        echo "refused: $2"
    fi
}

compiler=$1 flags=
case $("$compiler" -dumpmachine) in x86_64*) flags=-march=haswell ;; esac
plain='(out, float, y, "[i, j]"), (in, float, x, "[i, j-1:j+1]")'
body "$plain" 'const hit_auto near = hit(x, i, j - 1) + hit(x, i, j + 1); hit(y, i, j) = 0.5f * near - (float)i;' || {
    cat "$work/errors"
    exit 1
}
refused "$plain" 'hit(y, i, j) = (float)j * hit(x, i, j);'
refused "$plain" 'hit(y, i, j) = hit(x, i, 2 * j);'
refused "$plain" 'hit(y, i, j) = hit(x, i, j / 2);'
refused "$plain" 'hit(y, i, j) = (float)(hit_index)j * hit(x, i, j);'
refused "$plain" 'hit(y, i, j) = (float)(j > 0) * hit(x, i, j);'
refused "$plain" 'hit(y, i, j) = j == 0 ? 2 * hit(x, i, j) : 1 * hit(x, i, j);'
refused "$plain" 'hit(y, i, j) = j ? 2 * hit(x, i, j) : 1 * hit(x, i, j);'
refused "$plain" 'hit(y, i, j) = hit(x, j, i);'
refused "$plain" 'if (hit(x, i, j) > 0) hit(y, i, j) = hit(x, i, j - 1);'
refused "$plain" 'hit(y, i, j) = sqrtf(hit(x, i, j));'
refused "$plain" 'const float near = hit(x, i, j - 1); hit(y, i, j) = near;'
refused '(out, float, y, "[i, j:j+1]"), (in, float, x, "[i, j]")' 'hit(y, i, j + 1) = hit(x, i, j);'
refused "$plain" 'hit(y, i, j + 1) = hit(x, i, j);'
refused '(inout, float, y, "[i, j]"), (in, float, x, "[i, j]")' 'hit(y, i, j) = hit(x, i, j) + hit(y, i, j - 1);'
refused '(out, float, y, "[i, j]"), (in, double, x, "[i, j]")' 'hit(y, i, j) = 0 * hit(y, i, j);'
refused '(out, float, y, "[i, j]"), (in, int, x, "[i, j]")' 'hit(y, i, j) = hit(x, i, j);'
refused '(sum, float, y, "[]"), (in, float, x, "[i, j]")' 'hit(y) += hit(x, i, j);'
refused '(out, char, y, "[i, j]")' 'hit(y, i, j) = 0 * hit(y, i, j);'
exit $failed
