#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Two nodes of two groups of host cores and one staged device each, as six processes of this machine: both levels sum
# exactly, and the result is right. Prints the iterations, which depend on measured times; that both loops converge is
# tested with played ones (tests/layouts/test_search.c).
# usage: hierarchical.sh FOLDER_OF_EXAMPLES
set -u
folder=$1
if ! command -v mpiexec >/dev/null; then
    echo "skipped: no mpiexec"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work
export HIT_DEVICES="host:slow=4;host:slow=12;host:staged:memory=2MiB:slow=4"
HIT_DEVICES+=";host:slow=8;host:slow=6;host:staged:memory=1MiB:slow=6"
failed=0

# run EXAMPLE KERNEL ARGUMENTS...
run() {
    local example=$1 kernel=$2 log=$work/log
    shift 2
    rm -rf "$log" "$work/hit"
    if ! timeout 400 mpiexec --bind-to none -n 6 "$folder/$example" "$@" --threads 1 --check --json \
        --layout "hierarchical:nodes=3,3,kernel=$kernel,log=$log" >"$work/out" 2>&1; then
        echo "$example failed"
        cat "$work/out"
        failed=1
        return
    fi
    cat "$log"
    grep -q '"ok": true' "$work/out" || { echo "$example: the result is wrong" && failed=1; }
    # the last line: nodes=3,3,widths=w0,...,w5,dims=0,1,rects=r.c.h.w;r.c.h.w
    awk -F'[=,;.]' -v size="$SIZE" '
        /rects=/ { last = $0 }
        END {
            sub(/.*widths=/, "", last)
            split(last, part, /,dims=.*rects=/)
            split(part[1], width, ",")
            split(part[2], rect, /[.;]/)
            area = rect[3] * rect[4] + rect[7] * rect[8]
            if (width[1] + width[2] + width[3] != rect[4] || width[4] + width[5] + width[6] != rect[8]) bad = "widths"
            if (area != size * size) bad = bad " areas"
            if (bad != "") { print "wrong: " bad; exit 1 }
        }' "$log" || failed=1
}

SIZE=600 run heat heat --size 600 --steps 10
SIZE=300 run matmul gemm_double,k=64 --size 300 --panel 64
exit $failed
