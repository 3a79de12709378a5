#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_trace.sh HIT HEAT: `hit trace` draws what a run has just written (what it makes of a trace that does not
# change is in tests/golden/trace.sh). HEAT is the example.
set -u
hit=$1 heat=$2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

# has TEXT PICTURE: it is a text in it
has() {
    grep -q ">$1<" "$dir/$2.svg" && return
    echo "expected \"$1\" in the picture $2, which has:"
    grep '<text' "$dir/$2.svg"
    failed=1
}

HIT_CHAIN=off HIT_TRACE="$dir/trace.json" "$heat" --size 300 --steps 3 --threads 1 --device-memory 64KiB >/dev/null || exit 1

"$hit" trace draw "$dir/trace.json" >"$dir/all.svg" || failed=1
"$hit" trace draw "$dir/trace.json" --launches 1 --out "$dir/one.svg" || failed=1
for picture in all one; do
    for lane in launches kernels "copies in" "copies out"; do has "$lane" $picture; done
    has heat $picture # in the legend
    has "process 0: .*staged in 64 KiB" $picture
done

# one launch in one picture: its box is as wide as the picture
boxes=$(grep -c '<rect .*y="32.00" width="999.00"' "$dir/one.svg")
if [ "$boxes" != 1 ]; then
    echo "expected the box of one launch across the picture but found $boxes"
    failed=1
fi

# what cannot be read is told with the reason
if "$hit" trace draw "$dir" 2>"$dir/errors" || ! grep -q 'cannot be read: Is a directory' "$dir/errors"; then
    echo "expected the reason why a folder is no trace but found $(cat "$dir/errors")"
    failed=1
fi

# as many launches as steps
if "$hit" trace draw "$dir/trace.json" --launches 3 --out "$dir/none.svg" 2>/dev/null || [ -e "$dir/none.svg" ]; then
    echo "expected no fourth launch of three"
    failed=1
fi
exit $failed
