#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: valgrind.sh BUILD [LAUNCHER...]: quick programs of a build without AVX-512 (HIT_NATIVE=OFF) under valgrind's
# memcheck; LAUNCHER N starts N processes. valgrind.sh --targets: what must be built for it. Unlike the address sanitizer
# it sees values that nobody has set. Leaks are left to the sanitizer. hit.base.memory is not among them: valgrind
# computes long doubles in 64 bits.
set -u
here=$(cd "$(dirname "$0")" && pwd)
units="hit.data.region hit.topo.topology hit.model.fpm_file hit.measure.pieces layouts.partition.grid2d"
on_processes="hit.comm.comm hit.tile.layout_create"
if [ "$1" = --targets ]; then
    echo "$units $on_processes example_heat"
    exit
fi
build=$1
shift
if ! command -v valgrind >/dev/null 2>&1; then
    echo "skipped: valgrind is not installed"
    exit 77
fi

theirs=/usr/share/openmpi/openmpi-valgrind.supp
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch" OPENBLAS_NUM_THREADS=1
failed=0

# watch "PROGRAM [OPTION...]" [LAUNCHER N]
watch() {
    line=$1
    shift
    start=$(date +%s)
    set -- "$@" valgrind --quiet --error-exitcode=1 --leak-check=no --suppressions="$here/valgrind.supp"
    if [ -f $theirs ]; then set -- "$@" --suppressions=$theirs; fi
    # shellcheck disable=SC2086
    if "$@" "$build"/$line >"$scratch/log" 2>&1; then
        echo "ok: $line, $(($(date +%s) - start)) s"
    else
        echo "FAILED: $* $build/$line"
        cat "$scratch/log"
        failed=1
    fi
}

for unit in $units; do
    watch "tests/$unit"
done
heat="examples/heat --size 16x12 --steps 3 --check"
watch "$heat"
if [ $# -gt 0 ]; then
    for program in $on_processes; do
        watch "tests/$program" "$@" 2
    done
    watch "$heat" "$@" 2
fi
exit $failed
