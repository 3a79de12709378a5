#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: mistakes.sh HEAT VECTOR LU: mistakes on the command lines of examples end with exit code 2 and a text about them.
set -u
heat=$1
vector=$2
lu=$3
failed=0

# refuse WORDS PROGRAM OPTION...
refuse() {
    words=$1
    shift
    text=$("$@" 2>&1)
    code=$?
    if [ $code -ne 2 ] || [ ${#text} -gt 300 ]; then
        echo "$*: expected exit code 2 and a short text but found $code and: $text"
        failed=1
    fi
    case $text in
    *"$words"*) ;;
    *)
        echo "$*: expected \"$words\" but found: $text"
        failed=1
        ;;
    esac
}

refuse 'found "10x"' "$vector" --size 10x
refuse 'found "10x10x"' "$heat" --size 10x10x
refuse 'found "x"' "$heat" --size x
refuse 'device 1, "host:slow=0": expected a factor' "$heat" --size 32 --slow 0:0
refuse 'found "0:"' "$heat" --size 32 --slow 0:
refuse 'found "0x5"' "$heat" --size=0x5
refuse 'expected a value after --size' "$heat" --size
refuse '--check takes no value' "$heat" --check=1
refuse 'no option --checks=1' "$heat" --checks=1
refuse 'expected none or incremental after --pivot but found "some"' "$lu" --pivot=some
# where the devices cannot be opened either, the mistake in the option is the one to be named
HIT_DEVICES=none
export HIT_DEVICES
refuse 'expected a size such as "512MiB" but found "abc"' "$heat" --size 32 --device-memory abc
exit $failed
