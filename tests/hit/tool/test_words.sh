#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_words.sh HIT: what the tool says of words: help, wrong names before what is missing, names of files.
set -u
hit=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failed=0

# expect CODE TEXT WORD...: the exit code, and a text that must be in what is printed
expect() {
    code=$1 text=$2
    shift 2
    answer=$("$hit" "$@" 2>&1)
    found=$?
    case $answer in
    *"$text"*) [ $found -eq "$code" ] && return ;;
    esac
    echo "hit $*: expected exit code $code and \"$text\" but found $found and:"
    echo "$answer"
    failed=1
}

expect 0 'usage: hit [' help
expect 2 'no command "nosuch"' help nosuch
expect 2 'no command "hlep"; did you mean "help"?' hlep
for command in checkpoint fit infer info layout model new partition plan schedule trace; do
    expect 0 "usage: hit $command" help $command
    "$hit" help "$command" >out
    "$hit" "$command" --help | cmp - out || failed=1
    if grep '.\{91\}' out; then
        echo "hit $command --help has lines of more than 90 characters"
        failed=1
    fi
done

# a wrong name is told before what else is missing
expect 2 'but found "nosuch"' plan nosuch
expect 2 'but found "nosuch"' schedule nosuch
expect 2 'but found "nosuch"' layout print nosuch
expect 2 'but found "nosuch"' model measure nosuch
expect 2 'no algorithm "nosuch"' partition nosuch
expect 2 'expected --domain' plan heat
expect 2 'expected --machine' schedule lu
expect 2 'expected --domain' layout print block:grid=2x2

# a picture is SVG, whatever it is called
for name in x.pdf folder/x.png ./x.jpg; do
    expect 2 'expected a name that ends in .svg' layout draw block --domain 4x4 --ranks 2 --out $name
    expect 2 'expected a name that ends in .svg' trace draw nosuch --out $name
done
expect 0 '' layout draw block --domain 4x4 --ranks 2 --out x.svg
expect 0 '' layout draw block --domain 4x4 --ranks 2 --out ./without
expect 0 '' layout print block --domain 4x4 --ranks 2 --out x.txt

# CMake has targets of these names; no folder stays
for name in all clean help install test uninstall sub/all; do
    expect 2 'that CMake has no target of its own for' new $name
done
[ "$(echo *)" = 'out without x.svg x.txt' ] || { echo "found $(echo *)" && failed=1; }
exit $failed
