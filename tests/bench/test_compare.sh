#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_compare.sh: the verdicts of compare.sh on figures that are given
set -eu
compare=$(dirname "$0")/compare.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# given NAME UNIT "OURS..." "THEIRS...": the figures of as many pairs
given() {
    name=$1 unit=$2
    for side in ours theirs; do
        values=$3 pair=0
        if [ $side = theirs ]; then values=$4; fi
        for value in $values; do
            pair=$((pair + 1))
            echo "$side|$pair|$name|$unit|$value"
        done
    done
}

# says STATUS ROW: what the report of the figures on stdin is
says() {
    status=0
    "$compare" --report >"$scratch/rows" || status=$?
    row=$(tr -s ' ' <"$scratch/rows" | sed 's/ $//')
    [ "$status $row" = "$1 $2" ] || { echo "expected $1 $2 but found $status $row" && exit 1; }
    echo "ok: $2"
}

given rate GFLOP/s "10 11 12 13 14" "10 10 10 10 10" | says 0 "rate, GFLOP/s 1.200 1.100 to 1.300 ok"
given fast "times as fast" "0.8 0.9 0.9 0.9 0.8" "1 1 1 1 1" | says 1 "fast, times as fast 0.900 0.800 to 0.900 slower"
# less time is faster
given time microseconds "5 5 5 5 5" "4 4 4 4 4" | says 1 "time, microseconds 0.800 0.800 to 0.800 slower"
given time microseconds "4 4 4 4 4" "5 5 5 5 5" | says 0 "time, microseconds 1.250 1.250 to 1.250 ok"
# a little slower, and slower in most pairs but with 1 in the middle half
given near GFLOP/s "97 97 98" "100 100 100" | says 0 "near, GFLOP/s 0.970 0.970 to 0.980 ok"
given wide GFLOP/s "90 90 94 101 102" "100 100 100 100 100" | says 0 "wide, GFLOP/s 0.940 0.900 to 1.010 ok"
given near GFLOP/s "96 96 97 98 99" "100 100 100 100 100" | says 0 "near, GFLOP/s 0.970 0.960 to 0.980 ok"
# processors are shown; predictions and figures of one side are not compared
given busy "seconds of processors" "2 2 2" "1 1 1" | says 0 "busy, seconds of processors 0.500 0.500 to 0.500"
given near "of the predicted time" "2 2 2" "1 1 1" | says 0 ""
given new GFLOP/s "2 2 2" "" | says 0 ""
# neighbours in time belong together
given drift GFLOP/s "10 20 40" "10 20 40" | says 0 "drift, GFLOP/s 1.000 1.000 to 1.000 ok"
