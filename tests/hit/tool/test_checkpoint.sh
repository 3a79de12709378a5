#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_checkpoint.sh HIT STOPS: `hit checkpoint show` of what a program wrote, whole and damaged.
set -u
hit=$1 stops=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0

# expect CODE TEXT FOLDER
expect() {
    answer=$("$hit" checkpoint show "$3" 2>&1)
    found=$?
    case $answer in
    *"$2"*) [ $found -eq "$1" ] && return ;;
    esac
    echo "hit checkpoint show $3: expected exit code $1 and \"$2\" but found $found and:"
    echo "$answer"
    failed=1
}

HIT_CHECKPOINT=path=run,every=5steps,format=npy "$stops" out.npy 12 block || exit 1
expect 0 'run/checkpoint-1-10: hit.checkpoint.stops after step 10, by 1 process, 20' run/checkpoint-1-10
expect 0 'now              int64       -3:33 x 5:45 11.85 KiB, layout block, in now.npy, whole' run/checkpoint-1-10
expect 0 't                int64       value 8 B, in t.npy, 10 whole' run
expect 0 'share            double      value 8 B, in share.npy, 0.0009765625 whole' run
expect 0 'run/checkpoint-1-5: ' run
printf 'x' | dd of=run/checkpoint-1-5/next.npy bs=1 seek=5000 conv=notrunc 2>/dev/null
expect 1 'next.npy, damaged' run
expect 1 'next.npy: dataset next: expected checksum ' run/checkpoint-1-5
expect 0 'whole' run/checkpoint-1-10
: >run/checkpoint-1-10/checkpoint.json
expect 1 'no checksum: it is cut off' run/checkpoint-1-10
expect 1 'run/checkpoint-1-10: damaged' run
expect 1 'expected checkpoint.json' "$dir"
expect 1 'No such file' nosuch
exit $failed
