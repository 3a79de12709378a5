#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: moments.sh TRIES SECONDS PROGRAM [OPTION...] -- LAUNCHER... -n: a program with --output and --layout, of strict kernels, is stopped
# at random moments of SECONDS: kill -9 of one process, of all, of the launcher; SIGUSR1 to the launcher, after which it goes on; SIGTERM to a
# process; a full disk (as root, on a small one in memory). On 1, 2, 3, 4 and 7 processes and in other layouts, from one folder. What comes to its
# end has the bits of an undisturbed run, and none hangs, for 2 minutes. By hand: some minutes for 200. HIT_SEED sets the random numbers.
set -euo pipefail
tries=$1 seconds=$2
shift 2
command=()
while [ "$1" != -- ]; do
    command+=("$1")
    shift
done
shift
launcher=("$@")
RANDOM=${HIT_SEED:-1}
sizes=(1 2 3 4 7)
layouts=(block block:dims=0 block:dims=1 blockcyclic:block=32)
styles=(one all launcher usr1 term full)
folder=$(mktemp -d)
mkdir "$folder/disk"
trap 'umount "$folder/disk" 2>/dev/null; rm -rf "$folder"' EXIT
mount -t tmpfs -o size=8m none "$folder/disk" 2>/dev/null || styles=(one all launcher usr1 term)
unset HIT_CHECKPOINT
"${command[@]}" --output "$folder/expected.npy" >/dev/null
export HIT_CHECKPOINT=path=$folder/disk/run,every=0.2s,at=SIGUSR1

# the processes of the program: children of the launcher, or of its children
processes_of() {
    ps -eo pid=,ppid=,comm= | awk -v launcher="$1" -v name="$(basename "${command[0]}")" '
        { parent[$1] = $2; what[$1] = $3 }
        END { for (p in what) if (what[p] == name && (parent[p] == launcher || parent[parent[p]] == launcher)) print p }'
}

# stop LAUNCHER STYLE
stop() {
    local found
    mapfile -t found < <(processes_of "$1")
    case $2 in
    one) [ ${#found[@]} = 0 ] || kill -9 "${found[RANDOM % ${#found[@]}]}" ;;
    all) [ ${#found[@]} = 0 ] || kill -9 "${found[@]}" ;;
    launcher) kill -9 "$1" ;;
    usr1) kill -USR1 "$1" ;;
    term) [ ${#found[@]} = 0 ] || kill -TERM "${found[RANDOM % ${#found[@]}]}" ;;
    full) cat /dev/zero >"$folder/disk/filler" ;;
    esac 2>/dev/null || true
}

# guard: after 2 minutes all of this try are killed, whatever became of their launcher
guard() {
    sleep 120
    touch "$folder/hung"
    pkill -9 -f -- "--output $folder/found.npy"
}

declare -A count=([ended]=0 [went_on]=0 [left_out]=0 [hung]=0)
for ((k = 0; k < tries; k++)); do
    np=${sizes[RANDOM % 5]} style=${styles[RANDOM % ${#styles[@]}]} code=0
    rm -f "$folder/found.npy" "$folder/hung"
    "${launcher[@]}" "$np" "${command[@]}" --layout "${layouts[RANDOM % 4]}" --output "$folder/found.npy" >"$folder/log" 2>&1 &
    pid=$!
    guard &
    watch=$!
    disown
    sleep "$(awk -v s="$seconds" -v r="$RANDOM" 'BEGIN { print s * r / 32768 }')"
    stop $pid "$style"
    wait $pid 2>/dev/null || code=$?
    { kill $watch; pkill -P $watch; } 2>/dev/null || true
    # processes whose launcher was killed end a little later
    [ ! -e "$folder/disk/run/lock" ] || flock -w 20 "$folder/disk/run/lock" true
    rm -f "$folder/disk/filler"
    count[$style]=$((${count[$style]:-0} + 1))
    if [ -e "$folder/hung" ]; then
        count[hung]=$((count[hung] + 1))
        cp "$folder/log" "$folder.hung" # what it said last
    fi
    if grep -q '^hit: goes on after' "$folder/log"; then count[went_on]=$((count[went_on] + 1)); fi
    if grep -q '^hit: left out' "$folder/log"; then count[left_out]=$((count[left_out] + 1)); fi
    [ $code = 0 ] || continue
    count[ended]=$((count[ended] + 1))
    cmp "$folder/expected.npy" "$folder/found.npy"
done
"${command[@]}" --output "$folder/found.npy" >"$folder/log" 2>&1
cmp "$folder/expected.npy" "$folder/found.npy"
for what in "${!count[@]}"; do printf '%s %s, ' "${count[$what]}" "$what"; done
echo "all bits are right"
[ "${count[left_out]}" = 0 ] && [ "${count[hung]}" = 0 ]
