#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pareto.sh HIT [PROCESSES [UNITS]]: the time of `hit partition pareto` for processes with random times and energies of each
# number of units (default 1000 and 1000): 64 members of the set, and all of them.
set -eu
hit=$1
processes=${2:-1000}
units=${3:-1000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
awk -v dir="$dir" -v processes="$processes" -v units="$units" 'BEGIN {
    srand(7)
    for (p = 0; p < processes; p++) {
        speed = 0.5 + 7.5 * rand()
        watts = 20 + 180 * rand()
        time = dir "/" p ".time"
        energy = dir "/" p ".energy"
        print "# hit model 1\nkind table" >time
        print "# hit model 1\nkind table" >energy
        for (u = 1; u <= units; u++) {
            seconds = u / speed * (0.7 + 0.6 * rand())
            printf "%d %.17g\n", u, seconds >time
            printf "%d %d\n", u, seconds * watts * (0.8 + 0.4 * rand()) + 0.5 >energy
        }
        close(time)
        close(energy)
        print time "\n" energy >(dir "/list")
    }
}'
for points in "--points 64" ""; do
    start=$(date +%s.%N)
    # shellcheck disable=SC2086
    members=$(($("$hit" partition pareto --units "$units" $points "@$dir/list" | wc -l) - 1))
    end=$(date +%s.%N)
    awk -v p="$processes" -v u="$units" -v what="${points:-all}" -v m="$members" -v s="$start" -v e="$end" \
        'BEGIN { printf "%d processes, %d units, %s: %d members in %.1f s\n", p, u, what, m, e - s }'
done
