#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The memory that dry runs of four examples foretell for 1, 2 and 4 processes whose tiles take some 256 (or MEBIBYTES) MiB, beside what
# the largest process of a run takes: its peak (VmHWM), less that of the same program at a small size. Then the fewest processes on which
# a problem of twice that fits, by trying and by `hit fit`, in memories halfway between the peaks of one number of processes and the next.
# HIT_MEMORY="PROGRAM..." names others than the four.
# usage: memory [MEBIBYTES]
set -euo pipefail
build=$(cd "$(dirname "$0")/../.." && pwd)
part=${1:-256}
failed=0

# size PROGRAM PROCESSES: so that tiles take so much memory on each
size() {
    local bytes # of all tiles, per element of a square
    case $1 in
    heat) bytes=8 ;;    # two of floats
    seismic) bytes=5 ;; # five of floats, of N x N / 4
    matmul) bytes=24 ;; # three of doubles
    cholesky) bytes=8 ;;
    esac
    awk -v all="$((part * 1048576 * $2))" -v bytes=$bytes 'BEGIN { print 64 * int(sqrt(all / bytes) / 64 + 0.999) }'
}

# number FIELD: of the lines of JSON
number() {
    sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p"
}

# line PROGRAM SIZE: its words; pictures are the program's own memory
line() {
    words=("$build/examples/$1" --size "$2" --threads 1)
    case $1 in
    heat) words+=(--steps 3) ;;
    seismic) words+=(--steps 3 --picture "") ;;
    esac
}

foretold() { # PROGRAM SIZE PROCESSES
    line "$1" "$2"
    HIT_PLAN=json HIT_PLAN_PROCESSES=$3 "${words[@]}" | grep '^{"launches":' >"$work/plan"
    echo $(($(number tiles_bytes <"$work/plan") + $(number scratch_bytes <"$work/plan") + $(number held_bytes <"$work/plan")))
}

taken() { # PROGRAM SIZE PROCESSES
    line "$1" "$2"
    mpiexec --bind-to none -n "$3" "${words[@]}" --json | number resident_peak_bytes
}

fewest() { # PROGRAM SIZE: by trying, and by hit fit
    local memory found processes
    local peak=()
    line "$1" "$2"
    for processes in 1 2 3 4; do
        peak[processes]=$(taken "$1" "$2" $processes)
    done
    for processes in 2 3 4; do
        memory=$(((peak[processes - 1] + peak[processes]) / 2))
        found=$("$build/bin/hit" fit --memory $memory --most 8 --json "${words[@]}" | number processes)
        printf '%-10s %17d %13.1f %11d %8d\n' "$1" "$2" "$(awk -v b=$memory 'BEGIN { print b / 1048576 }')" \
            "$processes" "$found"
        [ "$found" = "$processes" ] || failed=1
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-10s %9s %7s %13s %11s %8s\n' program processes size 'foretold MiB' 'taken MiB' ratio
for program in ${HIT_MEMORY:-heat seismic matmul cholesky}; do
    for processes in 1 2 4; do
        size=$(size "$program" $processes)
        planned=$(foretold "$program" "$size" $processes)
        least=$(taken "$program" 64 $processes)
        most=$(taken "$program" "$size" $processes)
        awk -v p="$program" -v n=$processes -v s="$size" -v planned="$planned" -v taken="$((most - least))" 'BEGIN {
            printf "%-10s %9d %7d %13.1f %11.1f %8.3f\n", p, n, s, planned / 1048576, taken / 1048576, planned / taken
            exit planned < 0.95 * taken || planned > 1.05 * taken }' || failed=1
    done
done
printf '\n%-10s %17s %13s %11s %8s\n' program size 'memory MiB' 'by trying' 'hit fit'
for program in ${HIT_MEMORY:-heat seismic matmul cholesky}; do
    fewest "$program" "$(size "$program" 2)"
done
exit $failed
