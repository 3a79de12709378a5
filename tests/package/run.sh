#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: run.sh SOURCE BUILD: what ./run refuses, says, removes and builds; nothing is built or installed here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1
build=$2
# shellcheck source=tests/package/common.sh
. "$here/common.sh"
need realpath

# --- ./run install does not take the checkout for a place, however it is spelled ---------------------------
for place in "$source" "$source/" "$source/docs/.."; do
    if found=$("$source/run" install "$place"); then fail "./run install $place"; fi
    case $found in *"is this checkout: expected another folder"*) ;; *) fail "install $place says: $found" ;; esac
done
if (cd "$source/docs" && ../run install .. >"$scratch/said"); then fail "../run install .."; fi
grep -q 'is this checkout' "$scratch/said" || fail "../run install .. says: $(cat "$scratch/said")"
echo "ok: install into the checkout"

# --- ./run uninstall removes what is listed, and folders that it empties ------------------------------------
place="$scratch/a place"
mkdir -p "$place/bin" "$place/share/hit/examples" "$place/lib"
for file in bin/hit bin/other share/hit/examples/heat.c lib/libhit.a; do echo "$file" >"$place/$file"; done
printf 'bin/hit\nlib/libhit.a\nshare/hit/examples/heat.c' >"$place/share/hit/installed.txt"
(cd "$scratch" && "$source/run" uninstall "a place") || fail uninstall
[ "$(cd "$place" && find . -type f)" = ./bin/other ] || fail "left: $(find "$place" -type f)"
[ "$(ls "$place")" = bin ] || fail "folders are left: $(ls "$place")"
if "$source/run" uninstall "$place" >"$scratch/said"; then fail "uninstall what is not there"; fi
grep -q 'expected what ./run install left in' "$scratch/said" || fail "uninstall says: $(cat "$scratch/said")"
echo "ok: uninstall"

# --- ./run demo and install build nothing that only tests need -----------------------------------------------
if [ -f "$build/build.ninja" ] && command -v ninja >/dev/null; then
    for target in hit_demo hit_install; do
        ninja -C "$build" -t inputs $target >"$scratch/inputs" || fail "ninja -t inputs $target"
        grep -q 'hit/launch' "$scratch/inputs" || fail "$target does not build the library"
        if grep 'tests/' "$scratch/inputs"; then fail "$target builds tests"; fi
    done
    for target in hit_demo hit_install; do
        grep -q "build $target" "$source/run" || fail "./run does not ask for $target"
    done
    echo "ok: what ./run demo and install build"
fi
