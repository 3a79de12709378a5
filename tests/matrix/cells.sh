#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: cells.sh PROGRAM [--write] [LAUNCHER...]: what goes with what, as docs/cells.md has it. The program runs on 1, 2
# and 3 processes; the table of its lines is compared with the page's, or written into it.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
program=$1
shift
write=no
[ "${1:-}" != --write ] || { write=yes && shift; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for n in 1 2 3; do
    "$@" -n "$n" "$program" "$work/said" >"$work/cells.$n" || { cat "$work/cells.$n"; exit 1; }
done
cat "$work"/cells.[123] | awk -F '|' '
    NF == 4 {
        if (!($1 in is)) { is[$1] = 1; context[++contexts] = $1 }
        if (!($2 in was)) { was[$2] = 1 }
        cell[$1, $2] = $3
        count[$3]++
        cells++
    }
    END {
        split("overlap|tasks|chains|superblocks|scheduler|shares|residency|reductions|periodic|several pieces|strided|whole boxes|values|looks", name, "|")
        printf "| |"
        for (m = 1; m <= 14; m++) printf " %s |", name[m]
        printf "\n| --- |"
        for (m = 1; m <= 14; m++) printf " --- |"
        print ""
        for (c = 1; c <= contexts; c++) {
            printf "| %s |", context[c]
            for (m = 1; m <= 14; m++) printf " %s |", cell[context[c], name[m]]
            print ""
        }
        printf "\n%d cells: %d yes, %d silent, %d say why, %d refused.\n", cells, count["yes"], count["silent"], count["says why"], count["refused"]
    }' >"$work/table"
page=docs/cells.md
awk '/^<!-- end/ { shown = 0 } shown { print } /^<!-- begin/ { shown = 1 }' $page >"$work/old"
if [ $write = yes ]; then
    awk -v table="$work/table" '
        /^<!-- begin/ { print; while ((getline line < table) > 0) print line; skip = 1 }
        /^<!-- end/ { skip = 0 }
        !skip { print }' $page | awk '/^<!-- begin/ && seen++ { next } { print }' >"$work/page"
    cp "$work/page" $page
elif ! diff "$work/old" "$work/table"; then
    echo "docs/cells.md says something else (<): tests/matrix/cells.sh PROGRAM --write mpiexec writes it"
    exit 1
fi
