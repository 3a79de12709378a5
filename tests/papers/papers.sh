#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: papers.sh HIT DIR [RUNS]: the figures of [Bleuse2014] and [Cojean2016] by `hit schedule`. DIR/figures.tsv gets a line
# for each point: figure, curve, x, GFLOP/s, half of the width of its 95 % interval, MB moved, half of the width, GFLOP/s of the
# lower bound of the time. Each point is the mean of RUNS (30) runs with 5 % noise. DIR/tables.md and the pictures follow from it.
set -euo pipefail
hit=$(realpath "$1")
mkdir -p "$2"
dir=$(realpath "$2")
runs=${3:-30}
cd "$(dirname "$0")/../.."

# point FIGURE CURVE X GRAPH MACHINE OPTION...: a line of the table
point() {
    local figure=$1 curve=$2 x=$3 graph=$4 machine=$5
    shift 5
    "$hit" schedule "$graph" --machine "$machine" --noise 5 --runs "$runs" --json "$@" | tail -n 1 |
        awk -v figure="$figure" -v curve="$curve" -v x="$x" '
            function number(name) { return match($0, "\"" name "\": [0-9.]+") ? substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0 : 0 }
            {
                bound = number("critical_path_ms")
                if (number("area_bound_ms") > bound) bound = number("area_bound_ms")
                printf "%s\t%s\t%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\n", figure, curve, x, number("gflops"), number("gflops_half_width"),
                    number("moved_bytes") / 1e6, number("moved_bytes_half_width") / 1e6, number("gflops") * number("makespan_ms") / bound
            }'
}

# [Bleuse2014]: GPUs and what is left of twelve cores
on_gpus() { # on_gpus FIGURE GRAPH SIZE SCHEDULER...
    local figure=$1 graph=$2 size=$3 scheduler gpus
    shift 3
    for scheduler; do
        for gpus in 1 2 3 4 5 6 7 8; do
            printf '%s\n' "point $figure $scheduler $gpus $graph idgraf --gpus $gpus --cpus $((12 - gpus)) --size $size --scheduler $scheduler"
        done
    done
}

# [Cojean2016]: single cores, or two groups of ten
on_groups() { # on_groups FIGURE GPUS TILE CURVE OPTION...
    local figure=$1 gpus=$2 tile=$3 curve=$4 size
    shift 4
    for size in 4800 9600 13440 19200 24960 30720 38400; do
        if [ $((size % tile)) != 0 ]; then size=$((size / tile * tile)); fi
        printf '%s\n' "point $figure $curve $size cholesky sirocco --gpus $gpus --size $size --tile $tile --scheduler mct $*"
    done
}

all() {
    local alpha graph size gpus tile factor scheduler number=2
    for alpha in 0 0.25 0.5 0.75 1; do
        on_gpus 1 cholesky 8192 dada:alpha=$alpha dada:alpha=$alpha,cp
    done
    for graph in cholesky lu-incpiv qr; do
        for size in 8192 16384; do
            on_gpus $number.$size $graph $size heft dada:alpha=0 dada:alpha=0.5 dada:alpha=0.5,cp \
                mct mct:beta=2.75,queue=rank home steal steal:affinity
        done
        number=$((number + 1))
    done
    for scheduler in heft dada:alpha=0.5 dada:alpha=0.5,cp mct home steal:affinity; do
        for factor in 0.5 1 2 4; do
            printf '%s\n' "point wrong $scheduler $factor cholesky idgraf --gpus 6 --cpus 6 --size 16384 --predicted $factor --scheduler $scheduler"
        done
    done
    for gpus in 1 2 4; do
        for tile in 960 1920; do
            on_groups groups.$gpus.$tile $gpus $tile cores
            on_groups groups.$gpus.$tile $gpus $tile groups --groups 10,10
            on_groups groups.$gpus.$tile $gpus $tile constrained --groups 10,10 --host-only potrf,trsm
        done
    done
}

export -f point
export hit runs
all | xargs -P "$(nproc)" -I{} bash -c {} >"$dir/unsorted.tsv"
sort -t "$(printf '\t')" -k1,1 -k2,2 -k3,3g "$dir/unsorted.tsv" >"$dir/figures.tsv"
rm "$dir/unsorted.tsv"
expected=$(all | wc -l)
found=$(wc -l <"$dir/figures.tsv")
[ "$found" = "$expected" ] || { echo "expected $expected points but found $found" && exit 1; }
tests/papers/tables.sh "$dir/figures.tsv" >"$dir/tables.md"
if command -v gnuplot >/dev/null; then
    gnuplot -c tests/papers/papers.plot "$dir/figures.tsv" "$dir"
else
    echo "no pictures: gnuplot is not installed"
fi
