#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: on_gpu.sh HIT PROGRAM...: runs the program where the command hit finds a GPU; elsewhere the test is skipped.
set -eu
info=$("$1" info)
shift
why=$(printf '%s\n' "$info" | sed -n 's/^cuda *none: //p')
if [ -n "$why" ]; then
    echo "skipped: $why"
    exit 77
fi
exec "$@"
