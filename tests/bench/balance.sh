#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Balance on unlike processes: 4 of them, number 1 three times slower, number 3 with a memory cliff just above an
# even share. A product and a stencil with an even layout, by constant speeds measured once and several times, and by
# functional models; and the time that the true speeds allow, which is the optimum of "hit partition". All processes
# are slowed by sleeping (slow=, cliff=), so that 2 cores are enough for 4 of them.
# Per round each layout is run once, fpm2d twice: once with no models in the store (cold), then with those that the
# first run left (warm). "exact" is the makespan of the layout found by the factors that we set, / the least possible one:
# what is ours, and not noise or messages.
# usage: balance [ROUNDS [SIZE [STEPS]]]; default 2 rounds, a product of 4096, 200 steps of a 4096 x 4096 plate
set -euo pipefail
rounds=${1:-2} size=${2:-4096} steps=${3:-200}
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
    sed -n "s/.*\"$1\": *\([-+.0-9e]*\).*/\1/p" | tail -n 1
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

# exact LOG: of the layout that a search ended with
exact() {
    local k f
    for k in 0 1 2 3; do
        f=$([ $k = 1 ] && echo $slow || echo $base)
        printf '# hit model 1\nkind functional\n%s %s\n' $edge "$(awk "BEGIN { print 1 / $f }")" >"$work/factor$k"
        if [ $k = 3 ]; then echo "$((edge + 1)) $(awk "BEGIN { print 1 / $f / $factor }")" >>"$work/factor3"; fi
    done
    "$build/bin/hit" partition optimal --units $units --json "$work"/factor[0-3] | tr -d ' ' | field makespan_s >"$work/least"
    awk -v least="$(cat "$work/least")" -v base=$base -v slow=$slow -v edge=$edge -v factor=$factor '
        /rects=/ { last = $0 }
        END {
            sub(/.*rects=/, "", last)
            split(last, rect, ";")
            for (k = 1; k <= 4; k++) {
                split(rect[k], of, ".")
                units = of[3] * of[4]
                seconds = units * (k == 2 ? slow : base) * (k == 4 && units > edge ? factor : 1)
                if (seconds > most) most = seconds
            }
            print most / least
        }' "$1"
}

# once NAME LAYOUT KERNEL EXAMPLE ARGUMENTS...: run it and write down what it took
once() {
    local name=$1 layout=$2 kernel=$3 text=$2
    shift 3
    rm -f "$work/log"
    case $layout in
    single-cpm) text="cpm2d:kernel=$kernel,log=$work/log" ;;
    multiple-cpm) text="cpm2d:kernel=$kernel,rounds=10,log=$work/log" ;;
    fpm2d*) text="fpm2d:kernel=$kernel,log=$work/log" ;;
    esac
    on4 "$@" --layout "$text" --threads 1 --json --slow "0:$base,1:$slow,2:$base,3:$base" --cliff "3:$edge*$factor" >"$work/out"
    field time_s <"$work/out" >>"$work/$name.$layout.time"
    field balance_s <"$work/out" >>"$work/$name.$layout.balance"
    if [ -s "$work/log" ]; then
        exact "$work/log" >>"$work/$name.$layout.exact"
        grep -c '^round ' "$work/log" >>"$work/$name.$layout.rounds" || true
    fi
}

# median_of NAME.LAYOUT.WHAT; "-" where there is none
median_of() {
    if [ -s "$work/$1" ]; then median <"$work/$1"; else echo -; fi
}

# one NAME KERNEL LAUNCHES LAUNCH_S EXAMPLE ARGUMENTS...: the table of one program
one() {
    local name=$1 kernel=$2 launches=$3 launch_s=$4 layout round best even
    shift 4
    best=$(awk "BEGIN { print $launches * $launch_s }")
    for ((round = 0; round < rounds; round++)); do
        for layout in even single-cpm multiple-cpm fpm2d fpm2d-warm; do
            if [ $layout = multiple-cpm ] && [ $round -gt 0 ]; then continue; fi
            export XDG_CACHE_HOME=$work/models
            if [ $layout != fpm2d-warm ]; then rm -rf "$work/models"; fi
            once "$name" $layout "$kernel" "$@"
        done
    done
    even=$(median_of "$name.even.time")
    printf '\n%s\n%-14s %9s %9s %9s %9s %9s %12s\n' "$name" layout seconds "/ even" "/ allowed" exact measured "to find it"
    for layout in even single-cpm multiple-cpm fpm2d fpm2d-warm; do
        awk -v name="$name" -v layout="$layout" -v best="$best" -v even="$even" \
            -v time="$(median_of "$name.$layout.time")" -v balance="$(median_of "$name.$layout.balance")" \
            -v exact="$(median_of "$name.$layout.exact")" -v rounds="$(median_of "$name.$layout.rounds")" 'BEGIN {
            printf "%-14s %9.3f %9.2f %9.2f %9.9s %9s %10.2f %%\n", layout, time, time / even, time / best, exact,
                rounds, 100 * balance / time
            printf "{\"name\":\"balance %s %s\",\"seconds\":%.4f,\"of_even\":%.4f,\"of_allowed\":%.4f,", name, layout,
                time, time / even, time / best >"/dev/stderr"
            printf "\"exact\":%s,\"rounds\":%s,\"balance_s\":%.4f}\n", exact == "-" ? "null" : exact,
                rounds == "-" ? "null" : rounds, balance >"/dev/stderr"
        }' 2>>"$work/json"
    done
    printf '%-14s %9.3f\n' "allowed" "$best"
}

printf '4 processes on %s cores, slowed %s, %s, %s and %s times; number 3 is %s times slower again above %s units\n' \
    "$(nproc)" $base $slow $base $base $factor $edge
launch_s=$(allowed gemm_double "$((size / 2 - 64))" --k $panel)
one matmul gemm_double,k=$panel $(((size + panel - 1) / panel)) "$launch_s" "$build/examples/matmul" --size "$size" --panel $panel
launch_s=$(allowed heat "$((size / 2 - 64))")
one heat heat "$steps" "$launch_s" "$build/examples/heat" --size "$size" --steps "$steps"
printf '\nmeasured: distributions, by the search; to find it: the time of that, in %% of the run\n'
printf 'wanted of fpm2d: <= 0.75 of even, <= 0.95 of single-cpm, <= 1.10 of allowed, < 5 %% to find it\n'
cat "$work/json"
