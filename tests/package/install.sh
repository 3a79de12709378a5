#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: install.sh BUILD [LAUNCHER...]: installs into a scratch folder, and uses what lies there as others would:
# by find_package and pkg-config, in C and C++, shared and static; the template; the manual; the symbols.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
# shellcheck source=tests/package/common.sh
. "$here/common.sh"
# shellcheck source=tests/package/blocks.sh
. "$here/blocks.sh"
need g++
need pkg-config

prefix=$scratch/usr
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || fail "cmake --install"
lib=$(dirname "$(find "$prefix" -name libhit.a)")
template=$prefix/share/hit/examples/template

# --- nothing but hit in an include path, and nothing but hit's names in the library -------------------------
[ "$(ls "$prefix/include")" = hit-0.1 ] || fail "include: $(ls "$prefix/include")"
[ "$(cd "$prefix/include/hit-0.1" && echo *)" = "hit kernels layouts patterns" ] || fail "headers"
readelf -d "$lib/libhit.so" | grep -q 'soname: \[libhit.so.0.1\]' || fail "soname"
nm -D --defined-only "$lib/libhit.so" | awk '
    FNR == NR { gsub(/[^a-z0-9_]+/, " "); for (i = 1; i <= NF; i++) listed[$i]; next }
    $3 !~ /^hit_/ && !($3 in listed) { print "exported, and not hit_...: " $3; bad = 1 }
    END { exit bad }' "$prefix/include/hit-0.1/kernels/kernels.h" - || fail "symbols"
if nm -D --defined-only "$lib/libhit.so" | grep -qE ' hit_(comm|requests|exchange|storage)_'; then
    fail "internal functions are exported"
fi
echo "ok: headers, soname, symbols"

# --- the pages: no link is dead -----------------------------------------------------------------------------
[ "$(find "$prefix/share/doc/hit" -name '*.md' | wc -l)" -ge 50 ] || fail "the pages are not there"
"$here/../lint/lint.sh" links "$prefix/share/doc/hit" || fail "links of the pages"
echo "ok: links of the pages"

# --- find_package -------------------------------------------------------------------------------------------
hit=$prefix/bin/hit
"$hit" new "$scratch/shared" >"$scratch/new.log" 2>&1 || fail "hit new: $(cat "$scratch/new.log")"
shared=$scratch/shared/build/shared
readelf -d "$shared" | grep -q 'libhit.so.0.1' || fail "hit::hit is not the shared library"
warm=$("$shared")
[ "$(tail -n 1 "$scratch/new.log")" = "$warm" ] || fail "hit new does not run what it made: $(cat "$scratch/new.log")"
echo "ok: hit new, whose program prints $warm"
expect "$warm" env HIT_DEVICES=simulated:idgraf "$shared" # the machine's file lies beside the library
for wrong in "$scratch/shared" "$scratch/9" "$scratch/a b" ""; do
    if "$hit" new "$wrong" >"$scratch/new.log" 2>&1; then fail "hit new \"$wrong\""; fi
    grep -q '^hit new: expected' "$scratch/new.log" || fail "hit new \"$wrong\" says: $(cat "$scratch/new.log")"
done
user "$prefix" "$template" static -Dhit_USE_STATIC_LIBS=ON
if readelf -d "$scratch/static/plate" | grep -q 'libhit'; then fail "static: libhit is shared"; fi
expect "$warm" "$scratch/static/plate"
if [ $# -gt 0 ]; then expect "$warm" "$@" 2 "$shared"; fi
user "$prefix" "$template" strict -DHIT_STRICT=ON
ninja -C "$scratch/strict" -t commands | grep -q -- '-ffp-contract=off .*/heat.k.c$' || fail "HIT_STRICT=ON is not strict"
if grep -q '^HIT_STRICT:BOOL=OFF' "$build/CMakeCache.txt" &&
    ninja -C "$scratch/static" -t commands | grep -q -- '-ffp-contract=off .*/heat.k.c$'; then
    fail "kernels are strict"
fi
mkdir "$scratch/printed" # the same program as README.md prints it
named_files "$here/../../README.md" "$scratch/printed"
user "$prefix" "$scratch/printed" readme
expect "$warm" "$scratch/readme/plate"
if cmake -GNinja -S "$here/newer" -B "$scratch/newer" -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/newer.log" 2>&1; then
    fail "find_package(hit 0.2) took 0.1"
fi
grep -q 'version: 0.1' "$scratch/newer.log" || fail "find_package(hit 0.2) does not name the version it found"

# --- the examples, by themselves --------------------------------------------------------------------------------
user "$prefix" "$prefix/share/hit/examples" examples
"$scratch/examples/heat" --size 64x48 --steps 5 --check >"$scratch/heat.txt" || fail "heat: $(cat "$scratch/heat.txt")"
"$scratch/examples/matmul" --size 50 --check >"$scratch/matmul.txt" || fail "matmul: $(cat "$scratch/matmul.txt")"
echo "ok: the examples"

# --- pkg-config ---------------------------------------------------------------------------------------------
PKG_CONFIG_PATH=$lib/pkgconfig
export PKG_CONFIG_PATH
version=$("$prefix/bin/hit" --version)
[ "hit $(pkg-config --modversion hit)" = "$version" ] || fail "versions of the command and of pkg-config"
flags=$(pkg-config --cflags hit)
libs=$(pkg-config --libs hit)
static=$(pkg-config --libs hit-static)
case $libs in *mpi* | *blas*) fail "the shared library passes on what it needs: $libs" ;; esac
# shellcheck disable=SC2086
{
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -O3 -c "$template/heat.k.c" -o "$scratch/heat.o"
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -c "$template/main.c" -o "$scratch/main.o"
    g++ -std=c++17 -Wall -Wextra -Werror $flags -c "$here/plate.cpp" -o "$scratch/plate.o"
    gcc "$scratch/main.o" "$scratch/heat.o" $libs -Wl,-rpath,"$lib" -o "$scratch/c-shared"
    gcc "$scratch/main.o" "$scratch/heat.o" $static -o "$scratch/c-static"
    g++ "$scratch/plate.o" "$scratch/heat.o" $libs -Wl,-rpath,"$lib" -o "$scratch/cxx-shared"
    g++ "$scratch/plate.o" "$scratch/heat.o" $static -o "$scratch/cxx-static"
}
expect "$warm" "$scratch/c-shared"
expect "$warm" "$scratch/c-static"
expect 1.5 "$scratch/cxx-shared"
expect 1.5 "$scratch/cxx-static"

# --- Python: kernels are compiled as the installed hit.pc says -------------------------------------------------
if /usr/bin/python3 -c 'import cffi, numpy' 2>/dev/null; then
    (cd "$scratch" && PYTHONPATH=$prefix/share/hit/python PYTHONDONTWRITEBYTECODE=1 \
        /usr/bin/python3 "$prefix/share/hit/examples/heat.py" && [ -s heat.npy ]) || fail "heat.py"
    echo "ok: the package of Python"
else
    echo "python3-cffi or python3-numpy is not installed: the package of Python is not tried"
fi

# --- the manual: every command, every variable ----------------------------------------------------------------
"$prefix/bin/hit" --help | sed -n '/^commands:/,/^$/p' | awk 'NR > 1 && NF { print $1 }' >"$scratch/commands"
[ "$(wc -l <"$scratch/commands")" -ge 4 ] || fail "hit --help lists no commands"
while read -r command; do
    grep -qi "^.SH \"HIT $command\"" "$prefix/share/man/man1/hit.1" || fail "hit(1) does not name $command"
done <"$scratch/commands"
grep -rhoE '"HIT_[A-Z_]+"' --include='*.c' "$here/../../hit" "$here/../../layouts" | tr -d '"' |
    grep -vE '^HIT_(E_|OK$)' | sort -u >"$scratch/variables"
[ -s "$scratch/variables" ] || fail "no variable found"
while read -r variable; do
    grep -q "$variable" "$prefix/share/man/man7/hit.7" || fail "hit(7) does not name $variable"
done <"$scratch/variables"
if command -v groff >/dev/null 2>&1; then
    for page in man1/hit.1 man7/hit.7; do
        [ -z "$(groff -man -Tascii -ww "$prefix/share/man/$page" 2>&1 >/dev/null)" ] || fail "groff warns of $page"
    done
fi
echo "ok: the manual"
