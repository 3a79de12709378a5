#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: adopt.sh SOURCES BEFORE AFTER [LAUNCHER...]: the program that adopts one loop has few changed lines and the
# same bits, in place, in little memory, on several devices and under the checker, and copies nothing.
set -eu
sources=$1 before=$2 after=$3
shift 3
launcher=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
numbers=1
[ -z "$launcher" ] || numbers="1 2 3 4 7"

added=$(diff "$sources/before.c" "$sources/after.c" | grep -c '^>')
removed=$(diff "$sources/before.c" "$sources/after.c" | grep -c '^<')
echo "after.c: $added lines are new, $removed are gone; relax.k.c: $(wc -l <"$sources/relax.k.c") lines"
if [ "$added" -gt 20 ] || [ "$removed" -gt 20 ]; then
    echo "expected 20 changed lines at most"
    exit 1
fi

# run PROCESSES OUTPUT PROGRAM [NAME=VALUE...]
run() {
    n=$1 output=$2 program=$3
    shift 3
    # shellcheck disable=SC2086
    env "$@" ${launcher:+$launcher $n} "$program" >"$output" 2>"$work/errors" || {
        cat "$output" "$work/errors"
        echo "$program on $n processes, $*"
        exit 1
    }
}

# same PROCESSES NAME=VALUE...: what is printed behind is a profile
same() {
    run "$1" "$work/after" "$after" "$2" "$3"
    head -n "$(wc -l <"$work/before")" "$work/after" | cmp "$work/before" - || {
        echo "$* processes: other bits"
        exit 1
    }
}

for n in $numbers; do
    run "$n" "$work/before" "$before" HIT_THREADS=1
    grep -q "after 60 steps" "$work/before"
    same "$n" HIT_DEVICES=host:threads=1:memory=16KiB HIT_CHECK=1
    same "$n" HIT_DEVICES=host:threads=1 HIT_PROFILE=1
    if ! grep -q relax "$work/after" || grep "arrays of the program" "$work/after"; then
        echo "$n processes: expected a profile, and nothing copied"
        exit 1
    fi
    [ "$n" != 3 ] || same "$n" "HIT_DEVICES=host:threads=1 + host:memory=32KiB" HIT_COMPARE=1
done
