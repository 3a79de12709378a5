#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: section.sh SEISMIC: one number after --size is the width of the whole section, whose depth follows.
set -eu
found=$("$1" --size 401 --steps 1 --threads 1 --check --json)
case $found in
*'"size": [401, 101]'*) ;;
*)
    echo "expected 401 x 101 points but found"
    echo "$found"
    exit 1
    ;;
esac
found=$("$1" --size 401x60 --steps 1 --threads 1 --check --json)
case $found in
*'"size": [401, 60]'*) ;;
*) echo "$found" && exit 1 ;;
esac
