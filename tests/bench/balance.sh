#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Balance on unlike processes: 4 of them, number 1 three times slower, number 3 with a memory cliff just above an
# even share. A product and a stencil with an even layout, by constant speeds measured once and several times, and by
# functional models; and the time that the true speeds allow, which is the optimum of "hit partition". All processes
# are slowed by sleeping (slow=, cliff=), so that 2 cores are enough for 4 of them.
# usage: balance [ROUNDS [SIZE [STEPS]]]; default 2 rounds, a product of 4096, 100 steps of a 4096 x 4096 plate
set -euo pipefail
rounds=${1:-2} size=${2:-4096} steps=${3:-100}
build=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v mpiexec >/dev/null; then
    echo "balance: skipped, it needs mpiexec"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work OPENBLAS_NUM_THREADS=1
panel=256 base=10 slow=30 factor=3
units=$((size * size))
edge=$((units * 27 / 100)) # where the cliff is
devices="host:threads=1:slow=$base;host:threads=1:slow=$slow;host:threads=1:slow=$base"
devices+=";host:threads=1:slow=$base:cliff=$edge*$factor"

on4() {
    mpiexec --bind-to none -n 4 nice -n "${HIT_BENCH_NICE:-0}" "$@"
}

# field NAME: of the JSON object on standard input
field() {
    sed -n "s/.*\"$1\":\([-+.0-9e]*\).*/\1/p" | tail -n 1
}

median() {
    sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}

# allowed KERNEL SIDE [OPTION...]: seconds per launch that the true speeds allow; these are measured on a piece of
# about an even share, on all processes together, and are constant up to the cliff, which is where we put it
allowed() {
    local kernel=$1 side=$2 k=0 speed
    shift 2
    on4 "$build/bin/hit" model measure "$kernel" --size "$side" --devices "$devices" --forget "$@" |
        awk 'NR > 1 { print $NF }' >"$work/speeds"
    while read -r speed; do
        {
            echo "# hit model 1"
            echo "kind functional"
            echo "$edge $speed"
            if [ $k = 3 ]; then echo "$((edge + 1)) $(awk "BEGIN { print $speed / $factor }")"; fi
        } >"$work/true$k"
        k=$((k + 1))
    done <"$work/speeds"
    "$build/bin/hit" partition optimal --units $units --json "$work"/true[0-3] | tr -d ' ' | field makespan_s
}

# one NAME LAUNCHES LAUNCH_S EXAMPLE ARGUMENTS...: the table of one program
one() {
    local name=$1 launches=$2 launch_s=$3 layout round
    local best
    shift 3
    best=$(awk "BEGIN { print $launches * $launch_s }")
    for ((round = 0; round < rounds; round++)); do
        for layout in even single-cpm multiple-cpm fpm2d; do
            if [ $layout = multiple-cpm ] && [ $round -gt 0 ]; then continue; fi
            export XDG_CACHE_HOME=$work/$layout
            on4 "$@" --layout $layout --threads 1 --json --slow "0:$base,1:$slow,2:$base,3:$base" \
                --cliff "3:$edge*$factor" >"$work/out"
            field time_s <"$work/out" >>"$work/$name.$layout.time"
            field balance_s <"$work/out" >>"$work/$name.$layout.balance"
        done
    done
    printf '\n%s\n%-14s %9s %9s %9s %12s %12s\n' "$name" layout seconds "/ even" "/ allowed" "measuring" "known"
    for layout in even single-cpm multiple-cpm fpm2d; do
        awk -v name="$name" -v layout="$layout" -v best="$best" -v even="$(median <"$work/$name.even.time")" \
            -v time="$(median <"$work/$name.$layout.time")" -v first="$(head -n 1 "$work/$name.$layout.balance")" \
            -v last="$(tail -n 1 "$work/$name.$layout.balance")" 'BEGIN {
            printf "%-14s %9.3f %9.2f %9.2f %10.1f %% %10.2f %%\n", layout, time, time / even, time / best,
                100 * first / time, 100 * last / time
            printf "{\"name\":\"balance %s %s\",\"seconds\":%.4f,\"of_even\":%.4f,\"of_allowed\":%.4f,", name, layout,
                time, time / even, time / best >"/dev/stderr"
            printf "\"measuring_s\":%.4f,\"known_s\":%.4f}\n", first, last >"/dev/stderr"
        }' 2>>"$work/json"
    done
    printf '%-14s %9.3f\n' "allowed" "$best"
}

printf '4 processes on %s cores, slowed %s, %s, %s and %s times; number 3 is %s times slower again above %s units\n' \
    "$(nproc)" $base $slow $base $base $factor $edge
launch_s=$(allowed gemm_double "$((size / 2 - 64))" --k $panel)
one matmul $(((size + panel - 1) / panel)) "$launch_s" "$build/examples/matmul" --size "$size" --panel $panel
launch_s=$(allowed heat "$((size / 2 - 64))")
one heat "$steps" "$launch_s" "$build/examples/heat" --size "$size" --steps "$steps"
printf '\n"measuring": the time to find the layout, in %% of the run, when nothing is known; "known": the next time\n'
cat "$work/json"
