#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rebalancing: the stencil on 2 processes, of which number 1 becomes four times slower in the middle of the run.
# "disturbed" is what the second half then takes / what it takes else: about 4, or the middle was missed. "regained" is
# the part of the possible speed that the second half has with --rebalance: two processes, of which one is four times
# slower, can take 8 / 5 of the undisturbed time.
# usage: rebalance [ROUNDS [SIZE [STEPS]]]; default 3 rounds, 1600 steps of a 4096 x 4096 plate
set -euo pipefail
rounds=${1:-3} size=${2:-4096} steps=${3:-1600}
build=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v mpiexec >/dev/null; then
    echo "rebalance: skipped, it needs mpiexec"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work

# run NAME ARGUMENTS...: the seconds of heat, appended to the file NAME
run() {
    local name=$1
    shift
    mpiexec --bind-to none -n 2 nice -n "${HIT_BENCH_NICE:-0}" "$build/examples/heat" --size "$size" --steps "$steps" \
        --threads 1 --json "$@" | sed -n 's/.*"time_s": \([-+.0-9e]*\).*/\1/p' >>"$work/$name"
}

median() {
    sort -g "$work/$1" | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'
}

for ((round = 0; round < rounds; round++)); do
    run even --layout block
    # two runs of the kernel per step, inside and at the border: this is half of them
    run disturbed --layout block --slow "1:4@$steps"
    run balanced --layout block --slow "1:4@$steps" --rebalance
done
awk -v even="$(median even)" -v disturbed="$(median disturbed)" -v balanced="$(median balanced)" 'BEGIN {
    half = even / 2
    slower = (disturbed - half) / half
    regained = half * 8 / 5 / (balanced - half)
    printf "%9s %9s %9s   second half: %9s %9s\n", "even", "disturbed", "balanced", "disturbed", "regained"
    printf "%7.3f s %7.3f s %7.3f s %25.2f %7.0f %%\n", even, disturbed, balanced, slower, 100 * regained
    printf "wanted: >= 80 %% regained, where %.0f %% are left without\n", 100 * 8 / 5 / slower
    printf "{\"name\":\"rebalance\",\"even_s\":%.4f,\"disturbed_s\":%.4f,\"balanced_s\":%.4f,\"regained\":%.4f}\n", even,
        disturbed, balanced, regained
}'
