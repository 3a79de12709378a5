#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: fig5.sh PROGRAM: functional models balance at every size; constant speeds, measured once, only where they are
# constant.
"$1" --machine | cmp - "$(dirname "$0")/../../machines/paper90.machine" || exit 1 # the same machine in both
"$1" | awk '
    $1 + 0 >= 20000 {
        sizes++
        if ($5 < 0.95 * $6) wrong = wrong " functional models at N = " $1
        if ($1 <= 70000 && $3 < 0.8 * $6) wrong = wrong " constant speeds at N = " $1
        if ($1 >= 80000 && $3 > 0.5 * $5) wrong = wrong " no cliff at N = " $1
        if ($2 > 0.3 * $5) wrong = wrong " even at N = " $1
    }
    { print }
    END {
        if (sizes != 14 || wrong != "") { print "not as expected:" wrong; exit 1 }
    }'
