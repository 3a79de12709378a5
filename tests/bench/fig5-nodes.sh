#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Products on the 90 nodes of machines/paper90.machine, by the example matmul itself: Gflop/s as its dry runs foretell them,
# with all messages and all copies to GPUs, where `fig5` counts computing only. And how long the dry runs take.
# usage: fig5-nodes [SIZE...]; default 20000 to 70000
set -euo pipefail
build=$(cd "$(dirname "$0")/../.." && pwd)
sizes=("${@:-}")
[ -n "${sizes[0]}" ] || sizes=(20000 30000 40000 50000 60000 70000)
start=$SECONDS failed=0

# SIZE LAYOUT: Gflop/s, messages in GiB
foretell() {
    HIT_PLAN=json HIT_DEVICES=simulated:paper90 "$build/examples/matmul" --size "$1" --panel 128 --layout "$2" | awk -v n="$1" '
        /^{"launches"/ && match($0, /"predicted_s": [0-9.e+-]*/) {
            s = substr($0, RSTART + 15, RLENGTH - 15)
            match($0, /"message_bytes": [0-9]*/)
            printf "%.0f %.0f\n", 2 * n ^ 3 / s / 1e9, substr($0, RSTART + 17, RLENGTH - 17) / 2 ^ 30
        }'
}

printf '%8s %16s %16s %16s %16s\n' N even "constant, once" "several times" functional
for size in "${sizes[@]}"; do
    row=()
    for layout in even single-cpm multiple-cpm fpm2d; do
        row+=("$(foretell "$size" "$layout")")
    done
    printf '%8s %16s %16s %16s %16s\n' "$size" "${row[@]}"
    # what the models know must not be worse than knowing nothing
    [ "${row[3]% *}" -gt "$((2 * ${row[0]% *}))" ] || failed=1
done
echo "Gflop/s, and GiB of messages; $((SECONDS - start)) s for $((4 * ${#sizes[@]})) dry runs"
exit $failed
