#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: heat.sh BUILD [LAUNCHER...]: examples/heat.py, which docs/python.md prints, gives the bits of heat in C, and is short.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
top=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```python/ { inside = 1; next } /^```/ && inside { exit } inside' "$top/docs/python.md" >"$folder/page.py"
sed 1d "$top/examples/heat.py" | cmp - "$folder/page.py" || {
    echo "docs/python.md begins with another program than examples/heat.py"
    exit 1
}
lines=$(wc -l <"$folder/page.py")
[ "$lines" -le 25 ] || { echo "expected at most 25 lines but found $lines" && exit 1; }
cd "$folder"
export HIT_CHAIN=off # kernels that are not strict round otherwise in blocks, whose shape is tried
for n in 1 2 3; do
    launcher=
    if [ $# -gt 0 ]; then launcher="$* $n"; elif [ $n -gt 1 ]; then break; fi
    # shellcheck disable=SC2086
    $launcher "$build/examples/heat" --output "$folder/c.npy" >/dev/null
    rm -f heat.npy
    LAUNCHER=$launcher "$here/python.sh" "$build" page.py
    cmp heat.npy c.npy || { echo "other bits than in C on $n processes" && exit 1; }
    echo "ok: the bits of C on $n processes"
done
