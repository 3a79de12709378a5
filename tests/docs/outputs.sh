#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: outputs.sh BUILD PAGE...: runs the commands of pages that begin with build/release/..., hit or cat, or $ and one of these, after four spaces, and
# compares the indented lines below with what they print: each must come, in this order. A line "..." stands for any lines. Numbers of cores and threads,
# and what programs take beside their tiles, are this machine's.
set -eu
build=$(cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/run" "$work/run/build" "$work/steps"
ln -s "$build" "$work/run/build/release"
ln -s "$root/tests" "$root/machines" "$root"/tests/docs/models/* "$work/run" # named in docs/model.md
PATH=$build/bin:$PATH
XDG_CACHE_HOME=$work/cache # no models
export PATH XDG_CACHE_HOME

# Into NNN.sh and NNN.txt.
awk -v steps="$work/steps" '
    FNR == 1 { step = "" }
    /^    (\$ )?([A-Z_]+=[^ ]+ )*(build\/release\/|hit |cat )/ {
        step = sprintf("%s/%03d", steps, ++count)
        command = substr($0, 5)
        sub(/^\$ /, "", command)
        print "# " FILENAME ":" FNR "\n" command >(step ".sh")
        printf "" >(step ".txt")
        next
    }
    /^    \$ / { step = ""; next } # another command
    /^    / { if (step != "") print substr($0, 5) >(step ".txt"); next }
    /^$/ { next }
    { step = "" }
' "$@"
failed=0
compared=0
for step in "$work"/steps/*.sh; do
    [ -s "${step%.sh}.txt" ] || continue
    (cd "$work/run" && sh "$step") >"$work/found" 2>&1 || true
    compared=$((compared + 1))
    awk '
        { gsub(/[0-9]+ cores?, [0-9]+ threads?/, "these cores") }
        /^beside it: / { sub(/[0-9.]+ [KMG]iB/, "some") }
        /^node: / || / of a node/ { gsub(/[0-9.]+ [KMGT]iB/, "some") }
        /^ *[0-9]+ +[0-9.]+ [KMGT]iB +[0-9.]+ [KMGT]iB/ { sub(/ +[0-9.]+ [KMGT]iB$/, " some") }
        NR == FNR { found[++lines] = $0; next }
        $1 == "..." { next }
        {
            before = at
            for (at++; at <= lines && found[at] != $0; at++) { }
            if (at > lines) { print "expected: " $0; at = before; lacking = 1 }
        }
        END { exit lacking }' "$work/found" "${step%.sh}.txt" >"$work/lacking" && continue
    failed=1
    cat "$step" "$work/lacking"
    echo "but found:"
    cat "$work/found"
done
echo "$compared outputs compared"
[ $compared -gt 0 ] || failed=1
exit $failed
