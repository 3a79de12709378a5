#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: tables.sh FIGURES.tsv: its figures as tables: GFLOP/s, and below that GB moved, or GFLOP/s of the bound
set -eu
awk -F '\t' '
    function title(figure) {
        if (figure == "1") return "[Bleuse2014] Fig. 1: Cholesky, N = 8192, by GPUs"
        if (figure == "wrong") return "Cholesky, N = 16384, 6 GPUs: copies predicted X times as long as they are, by X"
        split(figure, part, ".")
        if (part[1] == "groups")
            return "[Cojean2016] Fig. 4 to 6: Cholesky, tiles of " part[3] ", " part[2] " GPU" (part[2] > 1 ? "s" : "") ", by N"
        return "[Bleuse2014] Fig. " part[1] ": " name[part[1]] ", N = " part[2] ", by GPUs"
    }
    function row(label, field,    k) {
        printf "| %s |", label
        for (k = 1; k <= columns; k++) printf " %s |", cell[curve, column[k], field]
        printf "\n"
    }
    function finish(    k, c) {
        if (figure == "") return
        printf "\n%s\n\n| |", title(figure)
        for (k = 1; k <= columns; k++) printf " %s |", column[k]
        printf "\n|---|"
        for (k = 1; k <= columns; k++) printf "--:|"
        printf "\n"
        for (c = 1; c <= curves; c++) {
            curve = order[c]
            row("`" curve "`", "speed")
            row(figure ~ /^groups/ ? "... bound" : "... GB", figure ~ /^groups/ ? "bound" : "moved")
        }
    }
    BEGIN { name[2] = "Cholesky"; name[3] = "LU with incremental pivoting"; name[4] = "QR" }
    $1 != figure { finish(); figure = $1; curves = columns = 0; split("", cell); split("", seen) }
    {
        if (!(("curve", $2) in seen)) { seen["curve", $2]; order[++curves] = $2 }
        if (!(("x", $3) in seen)) { seen["x", $3]; column[++columns] = $3 }
        cell[$2, $3, "speed"] = sprintf("%.0f ± %.1f", $4, $5)
        cell[$2, $3, "moved"] = sprintf("%.2f", $6 / 1000)
        cell[$2, $3, "bound"] = sprintf("%.0f", $8)
    }
    END { finish() }' "$1"
