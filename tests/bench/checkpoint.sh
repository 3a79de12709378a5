#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A checkpoint of 2 GiB: heat on one process with one checkpoint in its middle, without any, and dd of as many bytes with conv=fsync, in turn.
# "ratio" is the run with it / the longer of the other two; 1.05 or less is wanted. Only steps behind it hide the writing: half of a run is to
# take longer than dd. Before each run as much memory is touched as the one with
# a checkpoint takes: a virtual machine may have given back what is not used, and gets it page by page.
# usage: checkpoint [PAIRS [STEPS [FOLDER]]]; default 3 pairs, 300 steps of a 16384 x 16384 plate or more, until a run takes 3 times as long as
# dd, in a new folder of /tmp
set -euo pipefail
pairs=${1:-3} steps=${2:-0}
build=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d -p "${3:-/tmp}")
touched=$(mktemp -p /dev/shm 2>/dev/null || mktemp -p "$work")
trap 'rm -rf "$work" "$touched"' EXIT
export XDG_CACHE_HOME=$work

# seconds COMMAND...: of the clock on the wall, to the end of the program, printed
seconds() {
    local begin end
    dd if=/dev/zero of="$touched" bs=16M count=448 status=none || true # a small /dev/shm: as much as there is
    rm "$touched"
    sync -f "$work"
    begin=$(date +%s.%N)
    "$@" >/dev/null || exit 1 # else it takes no time
    end=$(date +%s.%N)
    awk -v b="$begin" -v e="$end" 'BEGIN { print e - b }'
}

disk=$(seconds dd if=/dev/zero of="$work/dd" bs=16M count=128 conv=fsync status=none)
if ((steps == 0)); then
    hundred=$(seconds "$build/examples/heat" --size 16384 --steps 100)
    steps=$(awk -v h="$hundred" -v d="$disk" 'BEGIN { s = int(300 * d / h); print (s > 300 ? s : 300) }')
fi
heat=("$build/examples/heat" --size 16384 --steps "$steps")
echo "$steps steps"
for ((k = 0; k < pairs; k++)); do
    without=$(seconds "${heat[@]}")
    with=$(HIT_CHECKPOINT=path=$work/run,every=$((steps / 2 + 1))steps,keep=1 seconds "${heat[@]}")
    rm -rf "$work/run"
    disk=$(seconds dd if=/dev/zero of="$work/dd" bs=16M count=128 conv=fsync status=none)
    rm "$work/dd"
    awk -v a="$with" -v b="$without" -v d="$disk" 'BEGIN { m = b > d ? b : d; print a / m, a, b, d }' >>"$work/all"
    tail -n 1 "$work/all" | awk '{ printf "with %.2f s, without %.2f s, dd %.2f s: ratio %.3f\n", $2, $3, $4, $1 }'
done
sort -g "$work/all" | awk '{ r[NR] = $1 } END { m = r[int((NR + 1) / 2)]
    printf "median ratio %.3f, wanted: <= 1.05\n{\"name\":\"checkpoint\",\"ratio\":%.4f}\n", m, m }'
