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

# --- ./run asks for the packages of the MPI that is there ----------------------------------------------------
# asks SHOWS INSTALLED: what it asks for on a machine of which nothing is known but what mpicc shows ("": there is none)
# and which packages there are
mkdir "$scratch/bin"
for tool in bash dirname tr; do ln -s "$(command -v $tool)" "$scratch/bin"; done
tool() { printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1" && chmod +x "$scratch/bin/$1"; }
tool id 'echo 1000'
tool sudo 'exit 1'
# shellcheck disable=SC2016
tool dpkg-query 'case " $INSTALLED " in *" $4 "*) printf installed ;; esac'
asks() {
    rm -f "$scratch/bin/mpicc" "$scratch/bin/mpiexec"
    if [ -n "$1" ]; then tool mpicc "echo $1" && tool mpiexec :; fi
    PATH=$scratch/bin INSTALLED=$2 "$source/run" build >"$scratch/said" && fail "./run with nothing there"
    grep apt-get "$scratch/said" | tr ' ' '\n' | grep mpi | sort | tr '\n' ' '
}
[ "$(asks "" "")" = "libhdf5-openmpi-dev libopenmpi-dev openmpi-bin " ] || fail "without MPI: $(cat "$scratch/said")"
[ "$(asks "gcc -lmpich" libmpich-dev)" = "libhdf5-mpich-dev " ] || fail "beside MPICH: $(cat "$scratch/said")"
[ "$(asks "gcc -L/opt/mpi -lmpi" "")" = "" ] || fail "beside another MPI: $(cat "$scratch/said")"
echo "ok: the MPI that is there"

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
