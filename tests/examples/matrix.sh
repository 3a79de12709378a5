#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example on 1, 2, 3, 4 and 7 processes, in place and in device memory that holds a third, a tenth and a
# fiftieth of its tiles, on random sizes and layouts: each run compares itself with a sequential program.
# usage: [HIT_PROCESSES="1 2"] matrix.sh FOLDER_OF_EXAMPLES [SEED [ROUNDS]]; prints what failed, and how to repeat it.
set -u
folder=$1
RANDOM=${2:-1}
rounds=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work # what is measured is forgotten
printf '# hit model 1\nkind functional\n100 5\n2000 9\n20000 2\n' >"$work/model"
flat=(block cyclic weighted single blockcyclic:block=5 "cpm:models=$work/model" "fpm:models=$work/model")
plane=("${flat[@]}" block:dims=0 "cpm2d:speeds=%" "fpm2d:speeds=%" "fpm2d:models=$work/model" "hierarchical:speeds=%"
    "hierarchical:models=$work/model" fpm2d hierarchical)
runs=0
failed=0

# check PROCESSES EXAMPLE ARGUMENTS...
check() {
    local np=$1 example=$2 launcher=()
    shift 2
    if command -v mpiexec >/dev/null; then launcher=(mpiexec --bind-to none -n "$np"); fi
    runs=$((runs + 1))
    if ! (cd "$work" && timeout 600 "${launcher[@]}" "$folder/$example" "$@" --check) >"$work/out" 2>&1; then
        failed=$((failed + 1))
        echo "failed on $np processes: $example $* --check"
        tail -n 3 "$work/out"
    fi
}

for ((round = 0; round < rounds; round++)); do
    for np in ${HIT_PROCESSES:-1 2 3 4 7}; do
        for memory in "" 1/3 1/10 1/50; do
            speeds=$((RANDOM % 9 + 1)) # one per process
            for ((rank = 1; rank < np; rank++)); do
                speeds+=,$((RANDOM % 9))
            done
            layout=${plane[RANDOM % ${#plane[@]}]/\%/$speeds}
            line=${flat[RANDOM % ${#flat[@]}]}
            rows=$((RANDOM % 240 + 60))
            columns=$((RANDOM % 200 + 50))
            limit=()
            if [ -n "$memory" ]; then
                limit=(--device-memory "$memory")
            elif [ $((RANDOM % 2)) = 0 ]; then # fewer rows than processes
                rows=$((RANDOM % 6 + 1))
                columns=$((RANDOM % 5 + 1))
            fi
            check "$np" vector --size $((rows * columns % 5000 + 1)) --layout "$line" "${limit[@]}"
            check "$np" heat --size ${rows}x$columns --steps 3 --layout "$layout" "${limit[@]}"
            check "$np" matmul --size $rows --panel 37 --layout "$layout" "${limit[@]}"
            blocks=(--size "$rows" --tile 31 --layout "$layout" --solve)
            # one piece of work needs two blocks, and what is beside them
            if [ -n "$memory" ]; then blocks+=(--device-memory 64KiB); fi
            check "$np" lu "${blocks[@]}"
            check "$np" lu --pivot=none "${blocks[@]}"
            check "$np" qr "${blocks[@]}"
            if [ "$rows" -ge 60 ] && [ $((RANDOM % 3)) = 0 ] && [ -x "$folder/seismic" ]; then
                check "$np" seismic --size ${rows}x$columns --steps 3 --layout "$layout" "${limit[@]}"
            fi
        done
    done
done
echo "$runs runs, $failed failed"
[ "$failed" = 0 ]
