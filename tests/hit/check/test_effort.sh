#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_effort.sh HEAT: HIT_CHECK=1 looks at samples of large launches and says so, and says how far it is;
# small launches are looked at whole, and nothing is said.
set -eu
heat=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*"
    cat "$scratch/said"
    exit 1
}

run() { # VALUE SIZE STEPS: what is said on stderr is in $scratch/said
    HIT_CHECK=$1 "$heat" --size "$2" --steps "$3" --threads 1 --check >"$scratch/printed" 2>"$scratch/said" ||
        fail "HIT_CHECK=$1 heat --size $2"
    if grep -q HIT_CHECK "$scratch/printed"; then fail "HIT_CHECK=$1 writes into the program's output"; fi
}

run 1 40x30 3
[ ! -s "$scratch/said" ] || fail "something is said of small launches"

run 1 1000x1000 6
grep -qE '^HIT_CHECK: heat: looked at [0-9]+ of 5976024 indices, in 6 launches, ' "$scratch/said" ||
    fail "a sample is not told"
grep -qE '; HIT_CHECK=whole looks at all, in some [0-9.]+ s$' "$scratch/said" || fail "it is not told what all takes"
looked=$(sed -n 's/^HIT_CHECK: heat: looked at \([0-9]*\) of .*/\1/p' "$scratch/said")
[ "$looked" -ge 60000 ] || fail "few indices are looked at: $looked"
[ "$looked" -le 1000000 ] || fail "this is no sample: $looked"
cp "$scratch/said" "$scratch/first"
run 1 1000x1000 6
[ "$(sed -n 's/^HIT_CHECK: heat: looked at \([0-9]*\) of .*/\1/p' "$scratch/said")" = "$looked" ] ||
    fail "the same program has another sample"

start=$(date +%s)
run whole 1000x1000 1
if grep -q 'HIT_CHECK=whole looks at all' "$scratch/said"; then fail "HIT_CHECK=whole takes a sample"; fi
if [ $(($(date +%s) - start)) -ge 3 ]; then # it says so after a second
    grep -qE '^HIT_CHECK: progress: launch 1 of heat: [0-9]+ % of the 996004 indices .* takes some [0-9.]+ s$' "$scratch/said" ||
        fail "nothing is said on the way"
fi
