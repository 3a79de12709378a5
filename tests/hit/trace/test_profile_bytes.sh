#!/bin/sh
# SPDX-License-Identifier: MIT
# test_profile_bytes.sh ROWS HEAT...: a profile tells the bytes that cross to devices and back in each step: ROWS rows of 198 floats
# that processes send each other, and in the second step the rim, once.
set -eu
rows=$1
shift
HIT_DEVICES=host:staged:memory=64MiB HIT_PROFILE=1 "$@" --size 200 --steps 11 >profile.$$.txt
awk -v rows="$rows" '
    /^heat / { found = 1; if ($NF != rows * 792 || $(NF - 1) < rows * 792 || $(NF - 1) > rows * 792 + 400) wrong = $0 }
    END { if (!found || wrong != "") { print "expected " rows * 792 " bytes out in each launch but found: " wrong; exit 1 } }
' profile.$$.txt || { rm -f profile.$$.txt; exit 1; }
rm -f profile.$$.txt
