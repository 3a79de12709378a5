#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: objects.sh OLD NEW: is the code of the catalogue's kernels in the build folder NEW that of OLD? Instructions are compared, without
# addresses and offsets of fields: a field that was added to hit_run moves those behind it. Exit status 1: some code is other code.
# ./run bench --against COMMIT launch-empty makes two such folders, build/against/COMMIT and build/against/ours.
set -euo pipefail
old=$1 new=$2 failed=0 compared=0

code() {
    objdump -d --no-show-raw-insn "$1" | sed -E '1,/^Disassembly/d
        s/^ *[0-9a-f]+:\t//; s/[0-9a-f]+ <[^>]*>:?//; s/ *# [0-9a-f]+.*//; s/-?0x[0-9a-f]+\(/(/g'
}

while read -r object; do
    [ -f "$new/$object" ] || { echo "$object is not in $new" && failed=1 && continue; }
    compared=$((compared + 1))
    instructions=$(code "$old/$object" | wc -l)
    if other=$(diff <(code "$old/$object") <(code "$new/$object")); then
        echo "$(basename "$object" .o): equal, $instructions lines"
    else
        echo "$(basename "$object" .o): of $instructions lines other: $(grep -c '^[<>]' <<<"$other")"
        failed=1
    fi
done < <(cd "$old" && find CMakeFiles -name '*.k.c.o' -path '*/kernels/*' | sort)
[ $compared -gt 0 ] || { echo "no kernels in $old" && exit 2; }
exit $failed
