#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: same.sh FOLDER_OF_EXAMPLES [LAUNCHER...]: in place, in little memory and on any number of processes the
# examples give the same bits, also where kernels are not strict.
set -eu
folder=$1
shift
launcher=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
numbers=1
[ -z "$launcher" ] || numbers="1 2 3 4 7"

# run PROCESSES OUTPUT EXAMPLE ARGUMENTS...
run() {
    n=$1 output=$2
    shift 2
    example=$1
    shift
    # shellcheck disable=SC2086
    ${launcher:+$launcher $n} "$folder/$example" "$@" --threads 1 --output "$output" >"$work/said" 2>&1 || {
        cat "$work/said"
        echo "$example $* on $n processes"
        exit 1
    }
}

# all EXAMPLE ARGUMENTS...
all() {
    run 1 "$work/first.npy" "$@"
    for processes in $numbers; do
        for memory in "" 1/3 1/20; do
            run "$processes" "$work/again.npy" "$@" ${memory:+--device-memory $memory}
            cmp "$work/first.npy" "$work/again.npy" || {
                echo "$* on $processes processes, memory ${memory:-as it is}: other bits"
                exit 1
            }
        done
    done
}

all heat --size 131x203 --steps 12
[ ! -x "$folder/seismic" ] || all seismic --size 160x80 --steps 60 --picture ""
