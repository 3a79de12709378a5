#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_instructions.sh COMPILER : counts, in objects that gcc makes for AVX2 and for AVX-512, the instructions of
# the loop over whole vectors of a row, how many of them read the stack, and those of the whole function, which also
# holds what is done once for each row; fails where there are more than there were, and some. 77 says that it cannot be
# asked.
set -eu
"$1" --version | grep -qi 'gcc\|free software foundation' || { echo "skipped: $1 is not gcc"; exit 77; }
"$1" -dumpmachine | grep -q '^x86_64' || { echo "skipped: $1 does not compile for x86-64"; exit 77; }
command -v objdump >/dev/null || { echo "skipped: there is no objdump"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
compiled=

# count FUNCTION REGISTER: of its innermost loops the one that names the most registers of this kind, but for those over
# ends of rows, which write a part of a vector: instructions, those that read the stack; then those of the function
count() {
    objdump -d --no-show-raw-insn "$work/one.o" | awk -v function_="<$1>:" -v kind="$2" '
        $2 == function_ { inside = 1; next }
        inside && NF == 0 { exit }
        inside {
            sub(/^ +/, "")
            split($0, part, ":[ \t]+")
            lines++
            text[lines] = part[2]
            line_of[part[1]] = lines
        }
        END {
            for (n = 1; n <= lines; n++) {
                if (split(text[n], word, " +") > 1 && text[n] ~ /^j/ && word[2] in line_of && line_of[word[2]] <= n) {
                    first[++loops] = line_of[word[2]]
                    last[loops] = n
                }
            }
            for (l = 1; l <= loops; l++) {
                inner = 1
                for (m = 1; m <= loops; m++) {
                    if (m != l && first[m] >= first[l] && last[m] <= last[l]) inner = 0
                }
                if (!inner) continue
                vectors = stack = ends = 0
                for (n = first[l]; n <= last[l]; n++) {
                    if (text[n] ~ kind) vectors++
                    if (text[n] ~ /\(%rsp/) stack++
                    if (text[n] ~ /{%k|maskmov|vpcmp/) ends++
                }
                if (vectors > most && ends == 0) {
                    most = vectors
                    found = last[l] - first[l] + 1 " " stack
                }
            }
            print (most > 0 ? found : "no-vectors 0"), lines
        }'
}

# check WHAT GOT LIMIT
check() {
    if [ "$2" -le "$3" ] 2>/dev/null; then return; fi
    echo "$1: $2, at most $3 expected"
    failed=1
}

# kernel FILE NAME INSTRUCTIONS STACK ALL: limits for AVX2, then for AVX-512, by $compiler; registers of $kind. The loop
# is that of a group of neighbours where there is one: of two with AVX2, of four with AVX-512. Kernels in vectors are
# compiled with -DHIT_KERNEL_VECTOR_HALF, in which rows are NAME_rows().
kernel() {
    if [ "$kind $1" != "$compiled" ]; then $compiler -c "$1" -o "$work/one.o"; fi
    compiled="$kind $1"
    count "$2_$function" "$kind" >"$work/counts"
    read -r loop stack all <"$work/counts"
    echo "$kind $2: $loop instructions in the loop, $stack of the stack, $all in all"
    check "$kind $2: instructions in the loop over vectors" "$loop" "$3"
    check "$kind $2: of them those of the stack" "$stack" "$4"
    check "$kind $2: instructions in all" "$all" "$5"
}

vectors="$1 -std=c11 -I. -O3 -ffp-contract=fast -DHIT_KERNEL_VECTOR_HALF"
compiler="$vectors -march=haswell"
kind=ymm function=rows
kernel kernels/stencil.k.c heat_float 35 0 440
kernel kernels/stencil.k.c stencil7_float 38 0 1030
kernel kernels/wave.k.c wave_float 94 14 1240
kernel tests/bench/chain.k.c wave3 120 25 1620
compiler="$vectors -march=icelake-server -mprefer-vector-width=512"
kind=zmm
kernel kernels/stencil.k.c heat_float 34 0 430
kernel kernels/stencil.k.c stencil7_float 72 9 1200
kernel kernels/wave.k.c wave_float 170 14 1560
kernel tests/bench/chain.k.c wave3 224 43 2140
compiler="$1 -std=c11 -I. -O3 -ffp-contract=fast -march=haswell"
kind=ymm function=dense
kernel kernels/stencil.k.c heat_float 11 0 205
kernel kernels/wave.k.c wave_float 35 0 410
exit $failed
