#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many processes of one host end together, and one of them writes what their chains found to the store of models. "chains" is
# what the stencil then takes / what it takes without chains; "lock held" how many seconds more where somebody keeps the
# lock of the store, which no program may wait long for. Seconds are those of the whole command.
# usage: many [PROCESSES [SIZE [STEPS]]]; default 96 processes, 400 steps of a 1000 x 1000 plate
set -euo pipefail
processes=${1:-96} size=${2:-1000} steps=${3:-400}
build=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v mpiexec >/dev/null || ! command -v flock >/dev/null; then
    echo "many: skipped, it needs mpiexec and flock"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work

seconds() { # seconds [NAME=VALUE]
    local TIMEFORMAT=%R
    { time env "$@" mpiexec --bind-to none -n "$processes" "$build/examples/heat" --size "$size" --steps "$steps" \
        --threads 1 >"$work/out" 2>&1; } 2>&1 || { cat "$work/out" >&2 && exit 1; }
}

off=$(seconds HIT_CHAIN=off)
on=$(seconds)
rm "$work"/hit/models/*.tiles || { echo "many: nothing was written to the store: expected more steps" && exit 1; }
exec 9>"$work/hit/models/.lock"
flock 9
held=$(seconds)
awk -v off="$off" -v on="$on" -v held="$held" -v processes="$processes" 'BEGIN {
    printf "%d processes: %8s %9s %10s %8s %10s\n", processes, "off", "chains", "lock held", "chains", "lock held"
    printf "%22.2f s %7.2f s %8.2f s %8.2f %+8.2f s\n", off, on, held, on / off, held - on
    printf "wanted: at most 1.2 times, and less than 2 s more\n"
    printf "{\"name\":\"many\",\"processes\":%d,\"off_s\":%.3f,\"chains_s\":%.3f,\"held_s\":%.3f}\n", processes, off, on, held
}'
