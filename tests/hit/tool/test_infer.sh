#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_infer.sh HIT HEAT: hit infer finds the annotation of the example heat, and says what is wrong
# with a call of it.
set -u
hit=$1
heat=$2
failed=0

expect() { # what, expected, found
    [ "$2" = "$3" ] && return
    echo "$1: expected"
    echo "$2"
    echo "but found"
    echo "$3"
    failed=1
}

expect "heat" 'HIT_KERNEL(heat, (i, j),
    (out, float, next, "[i, j]"),
    (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"),
    (value, float, c))' "$("$hit" infer "$heat" --size 40x30 --steps 1 | sed -n 1,4p)"

expect "a program that ends before its first launch" 'HIT_INFER: no kernel was launched, so that no annotation is known' \
    "$("$hit" infer "$heat" --size 40x30 --steps 0 | grep HIT_INFER)"
expect "a program that is none of hit" 'hit infer: true ended without a context of hit: no kernel was launched, so that no annotation is known' \
    "$("$hit" infer true 2>&1)"
"$hit" infer true 2>/dev/null
expect "exit code of a program that is none of hit" 1 $?
"$hit" infer sh -c 'exit 7' >/dev/null 2>&1
expect "exit code of a program" 7 $?
"$hit" infer >/dev/null 2>&1
expect "exit code without a program" 2 $?
"$hit" infer --help >/dev/null
expect "exit code of --help" 0 $?
expect "a program that is not there" "hit infer: ./no-such-program: No such file or directory" \
    "$("$hit" infer ./no-such-program 2>&1)"
exit $failed
