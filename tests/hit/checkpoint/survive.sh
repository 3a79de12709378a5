#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: survive.sh RUN STOPS: `./run survive` of a program that is killed at each start: to its end, or until it gets no further.
set -u
run=$1 stops=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0

# expect CODE TEXT COMMAND...
expect() {
    code=$1 text=$2
    shift 2
    answer=$("$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "$*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

"$stops" expected.npy 12 block || exit 1
export HIT_CHECKPOINT=every=3steps,path=run,format=npy
# a checkpoint takes more than 30 calls, and fewer than 70
expect 0 'again, from checkpoint 1-' "$run" survive "$stops" out.npy 12 block 110 0
cmp expected.npy out.npy || failed=1
export HIT_CHECKPOINT=path=more,every=3steps,format=npy
expect 137 'exit status 137; two starts got no further than checkpoint none' "$run" survive "$stops" out.npy 12 block 3 0
unset HIT_CHECKPOINT
expect 2 'expected HIT_CHECKPOINT=path=FOLDER' "$run" survive true
exit $failed
