#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How examples scale to N equal nodes of one core, as their dry runs foretell it: efficiency, which is the time of one
# process by that of P and P. For heat beside a model of its own: computing, and the messages of its blocks without
# anything in their way. Exit status 1: heat differs by more than 3 % from the model.
# usage: curves [N [NUMBERS]]; default 1024 processes; NUMBERS: a file for curves.plot
set -euo pipefail
build=$(cd "$(dirname "$0")/../.." && pwd)
most=${1:-1024}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
numbers=${2:-$work/numbers}
bandwidth=5000000000 latency_ns=2000 rate=2.5e8
side=16384 steps=100 # of heat on one process, weak and strong

cat >"$work/equal.machine" <<END
# hit machine 1
device core 1
network bytes=$bandwidth ns=$latency_ns
rate heat core * $rate
rate gemm core * 4e7
rate syrk core * 4e7
rate trsm core * 4e7
rate potrf core * 1e8
node equal $most core=1
END

# foretell PROCESSES PROGRAM...: seconds; of a chain also its launches
foretell() {
    HIT_PLAN=json HIT_PLAN_PROCESSES=$1 HIT_DEVICES=simulated:$work/equal.machine "$build/examples/$2" "${@:3}" >"$work/out"
    awk '
        match($0, /"chain": *[0-9]+/) && match($0, /"launches": *[0-9]+/) && !block { block = substr($0, RSTART + 11, RLENGTH - 11) }
        /^{"launches"/ && match($0, /"predicted_s": [0-9.e+-]*/) { print substr($0, RSTART + 15, RLENGTH - 15), block + 0 }
    ' "$work/out"
}

# model PROCESSES SIDE BLOCK: seconds of heat on a grid as square as can be
model() {
    awk -v p="$1" -v side="$2" -v k="$3" -v steps="$steps" -v rate=$rate -v bw=$bandwidth -v ns=$latency_ns 'BEGIN {
        for (g = int(sqrt(p)); p % g; g--) { }
        a = side / g; b = side / (p / g)
        if (k < 1) k = 1
        for (j = 0; j < k; j++) cells += (a + (g > 1) * 2 * j) * (b + (p / g > 1) * 2 * j)
        messages = (g > 2 ? 2 : g - 1) + (p / g > 2 ? 2 : p / g - 1)
        if (k > 1 && g > 1) messages *= 2 # to the corners, too
        bytes = ((g > 1) * 2 * k * b + (p / g > 1) * 2 * k * a + (k > 1 && g > 1) * 4 * k * k) * 4
        print steps / k * (cells / rate + messages * ns / 1e9 + bytes / bw)
    }'
}

efficiency() { awk -v one="$1" -v p="$2" -v t="$3" 'BEGIN { printf "%.3f", one / (p * t) }'; }

failed=0
printf '%9s %8s %8s %8s %8s %8s %8s\n' processes "heat," "by the" "heat," "by the" "matmul," "cholesky,"
printf '%9s %8s %8s %8s %8s %8s %8s\n' "" strong model weak model strong strong
for ((p = 1; p <= most; p *= 4)); do
    read -r strong k <<<"$(foretell "$p" heat --size $side --steps $steps)"
    read -r weak j <<<"$(foretell "$p" heat --size "$(awk -v p="$p" 'BEGIN { print int(2048 * sqrt(p)) }')" --steps $steps)"
    read -r matmul _ <<<"$(foretell "$p" matmul --size 16384 --panel 128)"
    read -r cholesky _ <<<"$(foretell "$p" cholesky --size 8192 --tile 256)"
    if [ "$p" = 1 ]; then one=("$strong" "$weak" "$matmul" "$cholesky"); fi
    row=("$(efficiency "${one[0]}" "$p" "$strong")" "$(efficiency "$(model 1 $side 1)" "$p" "$(model "$p" $side "$k")")"
        "$(efficiency "${one[1]}" 1 "$weak")" "$(efficiency "$(model 1 2048 1)" 1 "$(model "$p" "$(awk -v p="$p" 'BEGIN { print 2048 * sqrt(p) }')" "$j")")"
        "$(efficiency "${one[2]}" "$p" "$matmul")" "$(efficiency "${one[3]}" "$p" "$cholesky")")
    printf '%9s %8s %8s %8s %8s %8s %8s\n' "$p" "${row[@]}"
    echo "$p ${row[*]}" >>"$numbers"
    [[ "${row[*]}" != *nan* ]] || exit 1
    awk -v a="${row[0]}" -v b="${row[1]}" -v c="${row[2]}" -v d="${row[3]}" 'BEGIN {
        exit a / b > 1.03 || a / b < 0.97 || c / d > 1.03 || c / d < 0.97 }' || failed=1
done
exit $failed
