#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Dry runs of many processes: what time of the processor and what memory they take beside what is wanted, what time they foretell,
# and what a process costs in a launch: the time of the dry run by all launches and processes, so that it is an upper
# bound for a process that has no part of one. First on the 1,000 unlike nodes of machines/nodes1000.machine, most with several
# devices, then on up to 100,000 processes like this one, whose times are not known.
# usage: nodes
set -euo pipefail
build=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp)
trap 'rm -f "$out"' EXIT
TIMEFORMAT=%U # of the processor: the machine may be busy
failed=0

plan() { # PROCESSES SECONDS MIB PROGRAM ARGUMENTS...: at most so many are wanted
    local processes=$1 most=$2 most_mib=$3 seconds foretold launches
    shift 3
    seconds=$({ time HIT_PLAN=1 "$build/examples/$1" "${@:2}" --json >"$out"; } 2>&1) || { echo "$*: $seconds" && failed=1 && return; }
    foretold=$(awk '/^predicted time in all/ { print $5, $6 }' "$out")
    launches=$(awk '/^in all:/ { print $3 }' "$out")
    case $foretold in *known*) foretold=- ;; esac
    awk -v program="$*" -v processes="$processes" -v launches="$launches" -v foretold="$foretold" -v s="$seconds" -v most="$most" \
        -v bytes="$(sed -nE 's/.*"resident_peak_bytes": ([0-9]+).*/\1/p' "$out")" -v most_mib="$most_mib" 'BEGIN {
        mib = bytes / 1048576
        right = s <= most && mib > 0 && mib <= most_mib
        printf "%-32s %9d %8d %9s %8.2f s %5g s %8.0f MiB %5d MiB %9.3f us%s\n", program, processes, launches, foretold, s, most, mib,
            most_mib, s * 1e6 / (launches * processes), right ? "" : "  MISSED"
        exit !right }' || failed=1
    # on these nodes all is said that a time needs
    if [ "$foretold" = - ] && [ "${HIT_DEVICES-}" != "" ]; then failed=1; fi
}

planned() { # the same for so many processes that are not there
    HIT_PLAN_PROCESSES=$1 plan "$@"
}

printf '%-32s %9s %8s %9s %10s %7s %12s %9s %12s\n' program processes launches foretold 'dry run' wanted memory wanted 'per launch'
export HIT_DEVICES=simulated:nodes1000
plan 1000 60 480 heat --size 32768 --steps 100
plan 1000 60 480 seismic
plan 1000 60 480 matmul --size 32768
plan 1000 60 480 cholesky --size 32768 --tile 512
unset HIT_DEVICES
planned 1000 0.2 950 heat --size 16384 --steps 3000
planned 16000 0.6 950 heat --size 16384 --steps 3000
planned 1000 3 950 seismic --steps 400
planned 10000 10 950 heat --size 32768 --steps 1000
planned 10000 10 950 seismic --steps 400
planned 10000 10 950 matmul --size 16384
planned 10000 10 950 cholesky --size 25600 --tile 256
planned 100000 60 950 heat --size 32768 --steps 3000
exit $failed
