#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: trace.sh HIT [--write], in the root of the project: what `hit trace draw` makes of trace.json, its mistakes
# and exit codes, against trace.txt beside this; --write makes that file anew. What is drawn is looked at apart:
# hit trace draw tests/golden/trace.json --out picture.svg
set -u
hit=$1
golden=tests/golden/trace.txt
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

# trace ARGUMENT...
trace() {
    echo "\$ hit trace $*"
    "$hit" trace "$@" 2>"$dir/error"
    code=$?
    # where it failed: debug builds only
    sed 's/ ([a-z_]*[.]c:[0-9]*)//' "$dir/error"
    echo "= $code"
}

all() {
    trace draw tests/golden/trace.json
    trace draw tests/golden/trace.json --launches 1
    trace draw tests/golden/trace.json --from=0.028 --to 0.029
    trace draw tests/golden/trace.json --launches 0:2
    trace draw tests/golden/trace.json --launches 1:0
    trace draw tests/golden/trace.json --launches one
    trace draw tests/golden/trace.json --from 0.054 --to 0.06
    trace draw tests/golden/trace.json --from 2
    trace draw tests/golden/trace.json --to soon
    trace draw tests/golden/trace.json --until 1
    trace draw tests/golden/trace.json --out
    trace draw
    trace print tests/golden/trace.json
    trace draw tests/golden/none.json
    trace draw tests/golden/plan.txt
    sed '$d' tests/golden/trace.json >"$dir/cut.json"
    trace draw "$dir/cut.json"
    sed 's/"dur": 22000.000/"dur": -1/' tests/golden/trace.json >"$dir/negative.json"
    trace draw "$dir/negative.json"
    sed '/"X"/d' tests/golden/trace.json >"$dir/empty.json"
    trace draw "$dir/empty.json"
}

if [ "${2-}" = --write ]; then
    all | sed "s|$dir|DIR|" >"$golden"
else
    all | sed "s|$dir|DIR|" | diff -u "$golden" -
fi
