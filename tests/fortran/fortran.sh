#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: fortran.sh BUILD [LAUNCHER...]: the module hit over the library in BUILD, on 1 to 4 processes; heat.f90, which
# docs/fortran.md prints, has the bits of heat in C; and the module is short.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
top=$here/../..
fortran=${FC:-gfortran}
for tool in "$fortran" pkg-config; do
    command -v "$tool" >/dev/null 2>&1 || { echo "skipped: $tool is not installed" && exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lines=$(wc -l <"$top/fortran/hit.f90")
[ "$lines" -lt 400 ] || { echo "expected less than 400 lines but found $lines" && exit 1; }
awk '/^```fortran/ { inside = 1; next } /^```/ && inside { exit } inside' "$top/docs/fortran.md" >"$folder/page.f90"
sed 1d "$top/examples/heat.f90" | cmp - "$folder/page.f90" || {
    echo "docs/fortran.md begins with another program than examples/heat.f90"
    exit 1
}
PKG_CONFIG_PATH=$build/package # hit-uninstalled.pc
export PKG_CONFIG_PATH
cd "$folder"
flags="-std=f2018 -Wall -Wextra -Wpedantic -Werror -O2"
libs="$(pkg-config --libs hit) -Wl,-rpath,$(pkg-config --variable=libdir hit)"
# shellcheck disable=SC2086,SC2046
{
    for kernels in "$top/examples/heat.k.c" "$here/kernels.k.c"; do
        $(pkg-config --variable=compiler hit) -std=c11 $(pkg-config --cflags hit) $(pkg-config --variable=kernel_flags hit) -c "$kernels"
    done
    "$fortran" $flags -c "$(pkg-config --variable=fortran hit)"
    "$fortran" $flags hit.o "$top/examples/heat.f90" heat.k.o $libs -o heat
    "$fortran" $flags -fcheck=all -Wno-compare-reals hit.o "$here/test_hit.f90" kernels.k.o $libs -o test_hit
}
export HIT_CHAIN=off # kernels that are not strict round otherwise in blocks, whose shape is tried
"$build/examples/heat" --output "$folder/c.npy" >/dev/null
for n in 1 2 3 4; do
    launcher=
    if [ $# -gt 0 ]; then launcher="$* $n"; elif [ $n -gt 1 ]; then break; fi
    rm -f heat.npy
    # shellcheck disable=SC2086
    $launcher ./heat
    cmp heat.npy c.npy || { echo "other bits than in C on $n processes" && exit 1; }
    # shellcheck disable=SC2086
    HIT_CHAIN='' $launcher ./test_hit "$folder"
done
[ $# -gt 0 ] || exit 0
# shellcheck disable=SC2086
if ! "${MPIFORT:-mpifort}" -std=f2018 hit.o "$here/communicator.f90" $libs -o communicator 2>log; then
    cat log
    echo "not tried: a communicator, since ${MPIFORT:-mpifort} with an mpi_f08 of this compiler is not there"
    exit 0
fi
"$@" 3 ./communicator
