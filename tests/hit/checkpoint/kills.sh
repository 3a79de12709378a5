#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: kills.sh TRIES STOPS [LAUNCHER... -n]: kill -9 at a random call of a file, on 1, 2, 3, 4 and 7 processes in turn,
# again and again: each run goes on from a whole checkpoint, and each that comes to its end has the bits of an
# undisturbed one. HIT_SEED sets the random numbers. Without a launcher all have one process.
set -euo pipefail
tries=$1 stops=$2
shift 2
RANDOM=${HIT_SEED:-1}
sizes=(1 2 3 4 7)
layouts=(block cyclic block:dims=1 single)
formats=(npy hdf5)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset HIT_CHECKPOINT

# on NP COMMAND...: most runs need no launcher
on() {
    local np=$1
    shift
    if [ "$np" = 1 ] || [ ${#launcher[@]} = 0 ]; then "$@"; else "${launcher[@]}" "$np" "$@"; fi
}

launcher=("$@")
"$stops" "$folder/expected.npy" 40 block
has_hdf5=yes
HIT_CHECKPOINT=path=$folder/try,every=5steps,format=hdf5 "$stops" "$folder/try.npy" 7 block 2>/dev/null || has_hdf5=no
[ $has_hdf5 = yes ] || formats=(npy)

kills=0 ends=0 went_on=0
for ((k = 0; k < tries; k++)); do
    np=1
    if ((k % 4 == 3)); then np=${sizes[RANDOM % 5]}; fi
    export HIT_CHECKPOINT=path=$folder/run,every=3steps,format=${formats[RANDOM % ${#formats[@]}]}
    rm -f "$folder/found.npy"
    code=0
    on "$np" "$stops" "$folder/found.npy" 40 "${layouts[RANDOM % 4]}" $((RANDOM % 120 + 1)) $((RANDOM % np)) \
        >"$folder/log" 2>&1 || code=$?
    if grep -q '^hit: goes on after step' "$folder/log"; then went_on=$((went_on + 1)); fi
    if grep -q '^hit: left out' "$folder/log"; then
        cat "$folder/log"
        echo "try $k: a checkpoint was not whole"
        exit 1
    fi
    case $code in
    0)
        ends=$((ends + 1))
        cmp "$folder/expected.npy" "$folder/found.npy"
        ;;
    137) kills=$((kills + 1)) ;; # 128 + 9
    *)
        cat "$folder/log"
        echo "try $k, $np processes: exit code $code"
        exit 1
        ;;
    esac
done
"$stops" "$folder/found.npy" 40 block
cmp "$folder/expected.npy" "$folder/found.npy"
echo "$kills of $tries were killed, $ends ended, $went_on went on from a checkpoint; all bits are right"
[ $kills -ge $((tries / 3)) ] && [ $went_on -ge $((tries / 3)) ]
