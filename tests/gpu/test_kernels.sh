#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_kernels.sh PROGRAM: the sums that ./run gpu prints are the same on the host and on the played GPU
set -eu
program=$1
result() {
    HIT_DEVICES=$1 "$program" "$2" "$3" 2 | tail -n 1 | cut -f 7
}
for k in "heat 61" "heatd 40" "stencil7 19" "wave 40" "axpy 3001" "dot 3001" "matvec 50" "launch 10"; do
    kernel=${k% *}
    n=${k#* }
    host=$(result host "$kernel" "$n")
    gpu=$(result cuda:0:memory=1MiB "$kernel" "$n")
    if ! awk -v a="$host" -v b="$gpu" 'BEGIN { d = a - b; exit !(a != "" && b != "" && d * d <= 1e-8 * (1 + a * a)) }'; then
        echo "$kernel: $gpu on the GPU, $host on the host"
        exit 1
    fi
done
if "$program" heat 3 1 2>/dev/null; then
    echo "a plate of 3 x 3 was not refused"
    exit 1
fi
