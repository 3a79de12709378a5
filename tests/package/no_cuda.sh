#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: no_cuda.sh BUILD FOLDER: a build with CUDA starts where none of CUDA's libraries (which lie in FOLDER here) is:
# no program asks the loader for one, and a program runs on the host without opening one. A GPU is asked for by
# loading libcuda.so.1, where there may be one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
folder=$2
# shellcheck source=tests/package/common.sh
. "$here/common.sh"
need readelf

programs=0
for program in "$build"/bin/hit "$build"/examples/* "$build"/libhit.so; do
    if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
    programs=$((programs + 1))
    if readelf -d "$program" | grep -E 'NEEDED.*lib(cu|nv)'; then fail "$program does not start without it"; fi
    if readelf -d "$program" | grep -E 'R(UN)?PATH.*cuda'; then fail "$program looks for its libraries there"; fi
done
[ $programs -gt 3 ] || fail "only $programs programs in $build"
echo "ok: $programs programs"

LD_DEBUG=libs LD_DEBUG_OUTPUT=$scratch/opened HIT_DEVICES=host "$build/examples/matmul" --size 50 --check >"$scratch/matmul.txt" ||
    fail "matmul: $(cat "$scratch/matmul.txt")"
cat "$scratch"/opened.* >"$scratch/all"
grep -q 'find library=libc.so.6' "$scratch/all" || fail "the loader tells nothing"
if grep -E 'find library=lib(cublas|cudart|cuda[.])' "$scratch/all"; then fail "a program on the host opens it"; fi
echo "ok: a product on the host opens no library of CUDA"

# and once without them, where a user may have a view of the file system of their own
hide() {
    # shellcheck disable=SC2016
    unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$folder" "$@"
}
if hide true 2>/dev/null; then
    if hide ls "$folder" | grep -q .; then fail "$folder is still there"; fi
    hide "$build/examples/matmul" --size 50 --check >"$scratch/matmul.txt" || fail "matmul: $(cat "$scratch/matmul.txt")"
    echo "ok: a product where $folder is empty"
fi
