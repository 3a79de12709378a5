#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Work that is not even on processes that are not alike: the example uneven, a sea with 40 % of land and a triangle, on 4
# processes that are slowed by sleeping, 20, 40, 40 and 80 times, so that an eighth of a core is enough; in a layout that shares out the
# costs, which are those of the mask, or (name + " measured") those that the library times while the steps run in "block".
# "worst" is how far the time of a process is from the mean of all, at most, and "of ideal" the speedup over process 0
# alone, of the 2.25 that the four are worth.
# usage: uneven [ROUNDS [STEPS]]; default 3 rounds, 20 steps
set -euo pipefail
rounds=${1:-3} steps=${2:-20}
build=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v mpiexec >/dev/null; then
    echo "uneven: skipped, it needs mpiexec"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work HIT_DEVICES="host:threads=1:slow=20;host:threads=1:slow=40;host:threads=1:slow=40;host:threads=1:slow=80"

# run PROCESSES ARGUMENTS...: what the second layout, that of the costs, took: "seconds worst"
run() {
    local processes=$1
    shift
    mpiexec --bind-to none -n "$processes" nice -n "${HIT_BENCH_NICE:-0}" "$build/examples/uneven" "$@" |
        awk '/^  process [0-9]+ ran/ { busy[n++] = $(NF - 1) }
            /^  the steps took/ { seconds = $(NF - 1); first = last; last = n }
            END {
                for (k = first; k < last; k++) mean += busy[k] / (last - first)
                for (k = first; k < last; k++) {
                    off = busy[k] > mean ? busy[k] / mean - 1 : 1 - busy[k] / mean
                    if (off > worst) worst = off
                }
                print seconds, worst + 0
            }'
}

printf '%-18s %9s %9s %12s %9s %9s\n' "$(nproc) cores" alone together "of ideal" worst wanted
for shape in sea triangle; do
    for costs in mask measured; do
        for ((round = 0; round < rounds; round++)); do
            alone=$(run 1 $shape block "$steps" $costs)
            together=$(run 4 $shape cpm2d:speeds=4,2,2,1 "$steps" $costs)
            echo "$alone $together"
        done | awk '{ print $1 / $3 / 2.25, $1, $3, $4 }' | sort -g | awk -v name="$shape $costs" '
            { ideal[NR] = $1; alone[NR] = $2; together[NR] = $3; worst[NR] = $4; if ($4 > most) most = $4 }
            END {
                m = int((NR + 1) / 2)
                printf "%-18s %7.3f s %7.3f s %12.3f %7.1f %% %s\n", name, alone[m], together[m], ideal[m], 100 * most,
                    "  >= 0.9, <= 5 %"
                printf "{\"name\":\"uneven %s\",\"of_ideal\":%.4f,\"worst\":%.4f}\n", name, ideal[m], most
            }'
    done
done
