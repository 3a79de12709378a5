#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_output.sh HIT HEAT: where what the tool and an example write cannot be written. HEAT is the example.
set -u
hit=$1 heat=$2
[ -c /dev/full ] || exit 77
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
failed=0

# expect WHAT TEXT CODE: the command failed, and said TEXT
expect() {
    if [ "$3" = 0 ] || ! grep -q "$2" "$dir/errors"; then
        echo "$1: expected \"$2\" and a failure but found exit code $3 and:"
        cat "$dir/errors"
        failed=1
    fi
}
room='No space left on device'

for command in info --version "layout print block --domain 50x50 --ranks 5000" "plan heat --domain 50x50 --device-memory 64KiB"; do
    # shellcheck disable=SC2086
    "$hit" $command >/dev/full 2>"$dir/errors"
    expect "hit $command" "$room" $?
done
"$heat" --size 20 --steps 1 >/dev/full 2>"$dir/errors"
expect heat "$room" $?

HIT_TRACE="$dir/trace.json" "$heat" --size 20 --steps 1 >/dev/null || failed=1
HIT_TRACE=/dev/full "$heat" --size 20 --steps 1 >/dev/null 2>"$dir/errors" || failed=1
expect HIT_TRACE "/dev/full: cannot be written: $room" 1

# a limit on the size of files stands for a full disk
ln -s /dev/full "$dir/full"
draw() {
    case $1 in
    layout) "$hit" layout draw block --domain 50x50 --ranks 50 --out "$2" ;;
    trace) "$hit" trace draw "$dir/trace.json" --out "$2" ;;
    esac
}
for kind in layout trace; do
    draw $kind "$dir/$kind.svg" || failed=1
    cp "$dir/$kind.svg" "$dir/kept"
    (
        trap '' XFSZ
        ulimit -f 1
        draw $kind "$dir/$kind.svg" 2>"$dir/errors"
    )
    expect "$kind draw" 'cannot be written: File too large' $?
    cmp "$dir/kept" "$dir/$kind.svg" || failed=1
    draw $kind "$dir/full" 2>"$dir/errors"
    expect "$kind draw --out DEVICE" "$room" $?
    [ -c "$dir/full" ] || { echo "$kind draw has removed a device" && failed=1; }
    draw $kind /dev/stdout | cmp - "$dir/kept" || failed=1
done
if ls "$dir"/*.tmp >/dev/null 2>&1; then
    echo "drafts stay: $(ls "$dir")"
    failed=1
fi
exit $failed
