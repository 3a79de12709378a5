#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: checkpoint.sh EXAMPLES [LAUNCHER... -n]: heat, seismic and cholesky go on from a checkpoint of one process, with a launcher on 3, and
# give what their references give.
set -euo pipefail
examples=$1
shift
launcher=("$@")
if [ $# -gt 0 ]; then launcher+=(3); fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HIT_CHECKPOINT

# goes_on NAME STEP OPTION...: STEP is that of the last checkpoint
goes_on() {
    local name=$1 step=$2
    shift 2
    if [ ! -x "$examples/$name" ]; then return; fi # seismic needs zlib
    HIT_CHECKPOINT=path=$folder/$name,every=7steps
    "$examples/$name" "$@" >"$folder/log"
    rm "$folder/$name/ended" # as if it had been killed
    "${launcher[@]}" "$examples/$name" "$@" --check >"$folder/log" 2>&1 || {
        cat "$folder/log"
        exit 1
    }
    if ! grep -q "hit: goes on after step $step, from " "$folder/log"; then
        cat "$folder/log"
        echo "$name: expected to go on after step $step"
        exit 1
    fi
}

goes_on heat 28 --size 60x50 --steps 30
goes_on seismic 35 --size 150 --steps 40 --picture ''
goes_on cholesky 7 --size 200 --tile 20
