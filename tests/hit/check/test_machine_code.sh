#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: test_machine_code.sh COMPILER [FLAG...] : kernel files are the same machine code whether they have a
# checked half or not; 77 says that a tool is missing.
set -eu
command -v objcopy >/dev/null 2>&1 || { echo "skipped: objcopy is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# machine_code OUTPUT FILE FLAG...: all sections with code, and the constants they use. The names behind the targets of
# jumps are left out: of jumps to other sections they are names of data that happen to lie there
machine_code() {
    output=$1 file=$2
    shift 2
    "$@" -std=c11 -I. -c "$file" -o "$work/object.o"
    objdump -d -r "$work/object.o" | sed -e 1,3d -e 's/ <[^>]*>$//' >"$output"
    [ -s "$output" ]
}

for file in kernels/*.k.c tests/hit/launch/launch_kernels.k.c tests/hit/check/bank.k.c; do
    machine_code "$work/without" "$file" "$@"
    machine_code "$work/with" "$file" "$@" -DHIT_KERNEL_CHECKED=1
    machine_code "$work/checked" "$file" "$@" -DHIT_KERNEL_CHECKED_HALF
    if ! cmp "$work/without" "$work/with"; then
        echo "$file: other machine code with a checked half"
        failed=1
    fi
    if cmp -s "$work/without" "$work/checked"; then # does the comparison see anything?
        echo "$file: its checked half is no other machine code"
        failed=1
    fi
    echo "$file: $(wc -l <"$work/with") lines, equal"
done
exit $failed
