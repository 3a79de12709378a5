#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Dry runs on the 1,000 unlike nodes of machines/nodes1000.machine, most with several devices: what time of the processor and what memory they take,
# what time they foretell, and what a node costs in a launch: the time of the dry run by all launches and nodes, so that
# it is an upper bound for a node that has no part of one.
# usage: nodes
set -euo pipefail
build=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp)
trap 'rm -f "$out"' EXIT
TIMEFORMAT=%U # of the processor: the machine may be busy
failed=0

printf '%-10s %8s %10s %10s %14s %14s\n' program launches foretold 'dry run' memory 'node, launch'
plan() { # PROGRAM ARGUMENTS...
    local seconds foretold launches
    seconds=$({ time HIT_PLAN=1 HIT_DEVICES=simulated:nodes1000 "$build/examples/$1" "${@:2}" >"$out"; } 2>&1)
    foretold=$(awk '/^predicted time in all/ { print $5, $6 }' "$out")
    launches=$(awk '/^in all:/ { print $3 }' "$out")
    printf '%-10s %8s %10s %8s s %14s %11s us\n' "$1" "$launches" "$foretold" "$seconds" \
        "$(awk '/resident memory/ { print $3, $4 }' "$out")" \
        "$(awk -v s="$seconds" -v n="$launches" 'BEGIN { printf "%.3f", s * 1e6 / (n * 1000) }')"
    case $foretold in known*) failed=1 ;; esac
}
plan heat --size 32768 --steps 100
plan seismic
plan matmul --size 32768
plan cholesky --size 32768 --tile 512
exit $failed
