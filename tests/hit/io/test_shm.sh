#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_shm.sh HEAT [LAUNCHER...]: where nothing can be written to /dev/shm, a file that cannot be opened by MPI-IO
# says so and what to do, and that helps.
set -eu
heat=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# in a file system of its own; as root, or where users may have one
alone() {
    # shellcheck disable=SC2016
    unshare -m "$map" sh -c 'mount -t tmpfs -o ro none /dev/shm && exec "$@"' alone "$@"
}
map=--propagation=private
if ! alone true 2>/dev/null; then
    map=--map-root-user
    if ! alone true 2>/dev/null; then
        echo "skipped: no /dev/shm of its own can be mounted here"
        exit 77
    fi
fi

# expect NUMBER ENDING [LAUNCHER...]
expect() {
    file=$scratch/heat$1.$2
    shift 2
    if alone "$@" "$heat" --size 20x20 --steps 1 --output "$file" >"$scratch/out" 2>&1; then return; fi
    if grep -q HIT_E_ABSENT "$scratch/out"; then return; fi
    grep -q "cannot be opened: MPI-IO needs a /dev/shm that can be written" "$scratch/out" || {
        cat "$scratch/out"
        exit 1
    }
    alone env OMPI_MCA_sharedfp=^sm "$@" "$heat" --size 20x20 --steps 1 --output "$file" >"$scratch/out" 2>&1 || {
        cat "$scratch/out"
        exit 1
    }
    [ -s "$file" ]
}

for ending in npy h5; do
    expect 1 $ending
    if [ $# -gt 0 ]; then
        expect 1 $ending "$@" 1
        expect 2 $ending "$@" 2
    fi
done
