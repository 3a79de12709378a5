#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_funneled.sh LIBRARY SECOND_THREAD HEAT PROGRAM...
#
# One thread calls MPI (docs/message.md). LIBRARY, in the place of MPI's functions, ends a program whose second thread
# does: SECOND_THREAD, which is tried first, not HEAT, measured beside other devices, and not the PROGRAMs. A sample: at
# night .ci/run runs all tests so.
set -eu
library=$1 second=$2 heat=$3
shift 3
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT

watched() { LD_PRELOAD=$library "$@"; }

watched "$second" first
if watched "$second" second 2>"$XDG_CACHE_HOME/told"; then
    echo "a second thread called MPI, and nothing was said"
    exit 1
fi
grep -q "^MPI_Allreduce is called by a second thread" "$XDG_CACHE_HOME/told"
HIT_PLAN=measure HIT_DEVICES="host:threads=1 + host:threads=1" watched "$heat" --size 200x200 --steps 2
for program; do
    watched "$program"
done
