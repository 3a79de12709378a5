#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: writers.sh HEAT [LAUNCHER...]: several programs that write the same .npy all succeed, and the file is one of theirs
set -eu
heat=$1
shift
launcher=$*
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# heat N STEPS FILE: a run on N processes
run() {
    if [ -n "$launcher" ]; then
        # shellcheck disable=SC2086
        $launcher "$1" "$heat" --size 400x300 --steps "$2" --output "$3" >/dev/null
    else
        "$heat" --size 400x300 --steps "$2" --output "$3" >/dev/null
    fi
}

for steps in 1 2 3 4; do run 1 $steps "$folder/right$steps.npy"; done
for round in 1 2 3; do
    pids=
    for steps in 1 2 3 4; do
        run $((1 + steps % 2)) $steps "$folder/same.npy" &
        pids="$pids $!"
    done
    for pid in $pids; do
        wait "$pid" || { echo "round $round: a writer failed" && exit 1; }
    done
    found=0
    for steps in 1 2 3 4; do
        if cmp -s "$folder/same.npy" "$folder/right$steps.npy"; then found=1; fi
    done
    [ $found = 1 ] || { echo "round $round: the file is none of those that were written" && exit 1; }
done
if ls "$folder"/*.tmp >/dev/null 2>&1; then
    echo "drafts stay: $(ls "$folder")"
    exit 1
fi
