#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test_fit.sh HIT HEAT: the fewest processes on which heat fits are those that trying finds
set -euo pipefail
hit=$(realpath "$1")
heat=$(realpath "$2")
run=("$heat" --size 2048 --steps 3 --threads 1)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
    echo "failed: $*"
    exit 1
}

# bytes PROCESSES: what the dry run says
bytes() {
    HIT_PLAN=json HIT_PLAN_PROCESSES=$1 "${run[@]}" |
        sed -n 's/^{"launches":.*"tiles_bytes": \([0-9]*\), "scratch_bytes": \([0-9]*\), "held_bytes": \([0-9]*\), .*/\1 \2 \3/p' |
        awk '{ print $1 + $2 + $3 }'
}

# what a process has beside that; a little more or less each time
beside=$(HIT_PLAN=json "${run[@]}" | sed -n 's/^{"launches":.*"beside_bytes": \([0-9]*\).*/\1/p')
[ "$beside" -gt 1000000 ] || fail "beside tiles: $beside"

each=()
for processes in 1 2 3 4; do
    each[processes]=$(bytes $processes)
done
for memory in 20000000 10000000; do
    expected=1
    while [ "${each[expected]}" -gt $memory ]; do
        expected=$((expected + 1))
    done
    found=$("$hit" fit --memory $((beside + memory)) "${run[@]}" | tail -n 1)
    case $found in
    "fits on $expected process"*) ;;
    *) fail "in $memory B: expected $expected processes but found: $found" ;;
    esac
done
export HIT_DISK=path=$scratch,memory=2MiB
found=$("$hit" fit --memory $((beside + 2500000)) "${run[@]}" | tail -n 1)
case $found in
"fits on 1 process"*) ;;
*) fail "tiles on a disk: $found" ;;
esac
if "$hit" fit --memory $((beside + 1000000)) --most 2 "${run[@]}" >fit.log; then fail "copies of 1.75 MiB in 1 MB"; fi
unset HIT_DISK
# on one device with a memory of its own all tiles are there a second time, if it has room
found=$("$hit" fit --memory 1GB "${run[@]}" --device-memory 1GiB | awk 'NR == 2 { print $1, $2, $3 }')
[ "$found" = "1 64 MiB" ] || fail "staged: $found"
echo "ok: as trying one number after the other"

# on the nodes of a file, by the memory that it says; they have no more processes
printf '%s\n' '# hit machine 1' 'device core 1' 'rate heat core * 1e8' 'network bytes=1000000000' 'node large 2 core=1 memory=1GB' \
    "node small 3 core=2 memory=$((beside + 20000000))" >nodes.machine
found=$("$hit" fit --machine ./nodes.machine "${run[@]}" | tail -n 2 | head -n 1)
[ "${found#"fits on 2 processes, 2 nodes"}" != "$found" ] || fail "nodes: $found"
if found=$("$hit" fit --machine ./nodes.machine --memory 1MB "${run[@]}" | tail -n 1); then fail "nodes of 1 MB"; fi
[ "${found#"does not fit: 5 processes"}" != "$found" ] || fail "nodes of 1 MB: $found"
if "$hit" fit --machine idgraf "${run[@]}" >fit.log 2>&1; then fail "no nodes"; fi

"$hit" fit --memory $((4 * beside + 40000000)) --per-node 4 --json "${run[@]}" | grep -q '^{"fits": true, "processes": ' || fail "--json"
if "$hit" fit --memory 1MB --most 2 "${run[@]}" >fit.log 2>&1; then fail "2 processes of 1 MB"; fi
grep -q '^does not fit: 2 processes take ' fit.log || fail "$(cat fit.log)"
if "$hit" fit true >fit.log 2>&1; then fail "a program without launches"; fi
grep -q 'hit fit: true: expected a program that launches kernels of hit' fit.log || fail "$(cat fit.log)"
if "$hit" fit --memory 0 true >fit.log 2>&1; then fail "no memory"; fi
if "$hit" fit --memory 1GB "$PWD/no-such-program" >fit.log 2>&1; then fail "no program"; fi
grep -q 'no-such-program is not installed' fit.log || fail "$(cat fit.log)"
if "$hit" fit --memory 1GB >fit.log 2>&1; then fail "no program named"; fi
grep -q 'hit fit: expected a program' fit.log || fail "$(cat fit.log)"
echo "ok: what does not fit, and mistakes"
