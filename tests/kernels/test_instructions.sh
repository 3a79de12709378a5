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

# count FUNCTION REGISTER: of its innermost loops the one that names the most registers of this kind: instructions, those
# that read the stack; then instructions of the function
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
                vectors = stack = 0
                for (n = first[l]; n <= last[l]; n++) {
                    if (text[n] ~ kind) vectors++
                    if (text[n] ~ /\(%rsp/) stack++
                }
                if (vectors > most) {
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

# kernel FILE NAME INSTRUCTIONS STACK ALL: limits for AVX2, then, of the group of four neighbours where there is one, for
# AVX-512, by $compiler; registers of $kind
kernel() {
    if [ "$kind $1" != "$compiled" ]; then $compiler -c "$1" -o "$work/one.o"; fi
    compiled="$kind $1"
    count "$2_dense" "$kind" >"$work/counts"
    read -r loop stack all <"$work/counts"
    echo "$kind $2: $loop instructions in the loop, $stack of the stack, $all in all"
    check "$kind $2: instructions in the loop over vectors" "$loop" "$3"
    check "$kind $2: of them those of the stack" "$stack" "$4"
    check "$kind $2: instructions in all" "$all" "$5"
}

compiler="$1 -std=c11 -I. -O3 -ffp-contract=fast -march=haswell"
kind=ymm
kernel kernels/stencil.k.c heat_float 11 0 205
kernel kernels/stencil.k.c stencil7_float 13 0 280
kernel kernels/wave.k.c wave_float 35 0 410
kernel tests/bench/chain.k.c wave3 44 0 620
compiler="$1 -std=c11 -I. -O3 -ffp-contract=fast -march=icelake-server -mprefer-vector-width=512"
kind=zmm
kernel kernels/stencil.k.c heat_float 12 0 210
kernel kernels/stencil.k.c stencil7_float 53 0 810
kernel kernels/wave.k.c wave_float 137 14 1260
exit $failed
