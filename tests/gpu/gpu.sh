#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: gpu.sh BUILD [SCALE]: what the library does on the first GPU of this machine: tests, results beside the host's,
# and times beside kernels by hand, cuBLAS and cuBLASXt. About 15 minutes; SCALE divides the sizes (default 1).
# A table to the screen, and all of it in BUILD/gpu/.
set -uo pipefail
build=$1
scale=${2:-1}
out=$build/gpu
programs=$build/tests/gpu
table=$out/table.tsv
mkdir -p "$out"
: >"$table"

heading() { printf '\n%s\n' "$*"; }

# row COMMAND...: a line of the table, or that it failed
row() {
    local line
    if line=$(timeout 300 "$@" 2>"$out/last.err"); then
        printf '%s\n' "$line" | tee -a "$table" |
            awk -F '\t' '{ printf "  %-32s %8s  %-34s %12s us %10s G/s %8s GB/s\n", $1, $2, $3, $4, $5, $6 }'
    else
        printf '  failed: %s: %s\n' "${*##*/}" "$(tail -n 1 "$out/last.err")"
    fi
}

# on DEVICES KERNEL N STEPS
on() { HIT_DEVICES=$1 row "$programs/gpu.kernels" "${@:2}"; }

# of the table: the best of the lines whose name begins with the first text, over that of the second
ratio() {
    awk -F '\t' -v a="$1" -v b="$2" -v n="$3" '$2 == n && index($1, a) == 1 && $5 > x { x = $5 }
        $2 == n && index($1, b) == 1 && $5 > y { y = $5 }
        END { if (x > 0 && y > 0) printf "  %s over %s, N = %d: %.2f\n", a, b, n, x / y }' "$table" | tee -a "$out/ratios.txt"
}

size() { echo $((($1 / scale + 3) / 4 * 4)); }

heading "tests"
ctest --test-dir "$build" -L cuda -E '[.]ptx|^ptx' -j1 --output-on-failure >"$out/tests.log" 2>&1
grep -E 'tests passed|\(Failed\)|Skipped' "$out/tests.log"

heading "results, on the host, on the GPU, and in 3 MiB of its memory: the same sums"
for k in "heat 3000 7" "heatd 1776 5" "stencil7 200 5" "wave 1500 5" "axpy 3000000 3" "dot 3000000 1" "matvec 2500 1" \
    "sgemm 900 1" "dgemm 900 1"; do
    read -r kernel n steps <<<"$k"
    for devices in host cuda:0 cuda:0:memory=3MiB; do
        printf '  %-10s %-18s %s\n' "$kernel" $devices \
            "$(HIT_DEVICES=$devices timeout 300 "$programs/gpu.kernels" "$kernel" "$(size "$n")" "$steps" 2>&1 | tail -n 1 | cut -f 7)"
    done
done | tee "$out/results.txt"

# check LABEL COMMAND...: whether it ended well
check() {
    if timeout 120 "${@:2}" >"$out/last.log" 2>&1; then
        printf '  ok      %s\n' "$1"
    else
        printf '  FAILED  %s: %s\n' "$1" "$(tail -n 1 "$out/last.log")"
    fi
}

heading "examples, compared with sequential ones: by default, placed by a scheduler, in 8 MiB"
for e in "heat --size 1500 --steps 20" "matmul --size 1500" "cholesky --size 2048 --tile 256" "lu --size 1536 --tile 256" \
    "qr --size 1024 --tile 128"; do
    read -ra words <<<"$e"
    example=("$build/examples/${words[0]}" "${words[@]:1}" --check)
    check "${words[0]}" "${example[@]}"
    check "${words[0]}, HIT_SCHED=mct" env HIT_SCHED=mct HIT_DEVICES="cuda:0 + host:threads=4" "${example[@]}"
    check "${words[0]}, 8 MiB" env HIT_DEVICES="cuda:0:memory=8MiB + host:share=0" "${example[@]}"
done | tee "$out/examples.txt"

heading "compute-sanitizer"
for tool in memcheck racecheck initcheck; do
    sanitizer=(compute-sanitizer --tool "$tool" --error-exitcode 9)
    check "$tool of heat" "${sanitizer[@]}" "$build/examples/heat" --size 301x203 --steps 3 --check --device-memory 1/8
    check "$tool of dot" env HIT_DEVICES=cuda:0 "${sanitizer[@]}" "$programs/gpu.kernels" dot 100000 1
done | tee "$out/sanitizer.txt"

heading "in the GPU's memory"
: >"$out/ratios.txt"
for n in "$(size 16384)" "$(size 4096)" "$(size 1024)"; do
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$table"
        awk -F '\t' '{ printf "  %-32s %8s  %-34s %12s us %10s G/s %8s GB/s\n", $1, $2, $3, $4, $5, $6 }' <<<"$line"
    done < <(timeout 300 "$programs/gpu.heat" "$n" 100)
    on cuda:0 heat "$n" 100
    ratio "hit heat" "hand heat" "$n"
    ratio "hit heat" copy "$n"
done
for k in "heatd 12288 50" "stencil7 768 50" "wave 12288 30" "axpy 500000000 20" "dot 500000000 20" "matvec 32768 5" "launch 1000 20000"; do
    read -r kernel n steps <<<"$k"
    on cuda:0 "$kernel" "$(size "$n")" "$steps"
done
n=$(size 8192)
for t in s d; do
    row "$programs/gpu.products" core $t "$n"
    on cuda:0 ${t}gemm "$n" 5
    ratio "hit ${t}gemm" "cuBLAS ${t}gemm" "$n"
done

heading "the link, and what does not fit"
"$build/bin/hit" model measure links --devices cuda:0 >"$out/links.txt" 2>&1 && tail -n 6 "$out/links.txt"
for memory in 2GiB 512MiB 128MiB; do on "cuda:0:memory=$memory" heat "$(size 24576)" 3; done
heading "the same in chains: off, as many steps at a time as the library likes, 16"
for chain in off "" 16; do
    for memory in 2GiB 512MiB; do HIT_CHAIN=$chain on "cuda:0:memory=$memory" heat "$(size 24576)" 32; done
done
heading "energy"
"$build/bin/hit" model measure gemm_double --energy --devices cuda:0 --size "$(size 1000),$(size 4000)" 2>&1 | tee "$out/energy.txt"
n=$(size 16384)
for t in s d; do
    for block in 2048 4096; do row "$programs/gpu.products" out $t "$n" $block; done
    for memory in 2GiB 512MiB; do on "cuda:0:memory=$memory" ${t}gemm "$n" 1; done
    ratio "hit ${t}gemm" "cuBLASXt ${t}gemm" "$n"
done

heading "with the host's cores"
for devices in host cuda:0 "cuda:0:share=auto + host" "cuda:0:memory=1GiB + host"; do on "$devices" heat "$(size 16384)" 60; done

heading "all of it is in $out"
