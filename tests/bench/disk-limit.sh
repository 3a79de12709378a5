#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Heat on two tiles that are together 4 times as large as a memory cgroup allows, on a disk (HIT_DISK), in chains and launch by
# launch: the most that the group held, the bytes that copies moved, and whether the elements are those of a run in memory.
# Needs the rights to make a cgroup; else it says so and exits with 77.
# usage: disk-limit [MEBIBYTES [STEPS [FOLDER]]]; default a limit of 64 MiB, 24 steps, in a new folder of /tmp
set -euo pipefail
limit=$((${1:-64} << 20)) steps=${2:-24}
build=$(cd "$(dirname "$0")/../.." && pwd)
root=/sys/fs/cgroup
if [ -d $root/memory ]; then
    group=$root/memory/hit-disk-$$ most=memory.limit_in_bytes peak=memory.max_usage_in_bytes
else
    group=$root/hit-disk-$$ most=memory.max peak=memory.peak
fi
if ! mkdir "$group" 2>/dev/null || ! echo "$limit" >"$group/$most"; then
    rmdir "$group" 2>/dev/null || true
    echo "skipped: no memory cgroup can be made in $root"
    exit 77
fi
work=$(mktemp -d -p "${3:-/tmp}")
trap 'rm -rf "$work"; rmdir "$group"' EXIT
size=$(awk -v bytes="$((limit * 4))" 'BEGIN { print 64 * int(sqrt(bytes / 8) / 64) }') # two of floats

# run CHAIN OUTPUT: what HIT_PROFILE says of the disk, and the group of its peak
run() (
    echo "$BASHPID" >"$group/cgroup.procs"
    HIT_CHAIN=$1 HIT_PROFILE=1 HIT_DISK="path=$work,memory=$((limit / 2))" "$build/examples/heat" --size "$size" --steps "$steps" \
        --output "$2" | sed -n 's/^disk: \(.*\) by copies.*/\1/p'
)

"$build/examples/heat" --size "$size" --steps "$steps" --output "$work/memory.npy" >/dev/null
for chain in 1000 off; do
    moved=$(run $chain "$work/disk.npy")
    cmp "$work/memory.npy" "$work/disk.npy"
    printf '%d x %d, %d steps, HIT_CHAIN=%s: the group held at most %d of %d bytes; %s; the same bits\n' "$size" "$size" "$steps" \
        $chain "$(cat "$group/$peak")" "$limit" "$moved"
done
