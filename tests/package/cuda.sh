#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: cuda.sh BUILD NVCC ARCHITECTURES: a project with kernels for GPUs, from the installed library; it is built by
# nvcc and runs on the host. ARCHITECTURES are the library's, with commas between them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
nvcc=$2
architectures=$(echo "$3" | tr ',' '\n' | sed 's/-.*//' | sort -u | xargs)
# shellcheck source=tests/package/common.sh
. "$here/common.sh"
need readelf
need "$nvcc"

prefix=$scratch/usr
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log" || fail "cmake --install"
template=$scratch/template
cp -R "$prefix/share/hit/examples/template" "$template"
sed -i 's/LANGUAGES C)/LANGUAGES C CUDA)/' "$template/CMakeLists.txt"
grep -q 'LANGUAGES C CUDA)' "$template/CMakeLists.txt" || fail "the template's languages"

# compiled_for NAME: the architectures that nvcc is given
compiled_for() {
    grep -o 'arch=compute_[0-9a-z]*' "$scratch/$1/build.ninja" | sed 's/.*_//' | sort -u | xargs
}

user "$prefix" "$template" shared -DCMAKE_CUDA_COMPILER="$nvcc"
readelf -d "$scratch/shared/plate" | grep -q 'libhit.so.0.1' || fail "hit::hit is not the shared library"
if readelf -d "$scratch/shared/plate" | grep -E 'NEEDED.*lib(cu|nv)'; then fail "the program needs CUDA to start"; fi
nm "$scratch/shared/plate" | grep -q heat_cuda || fail "the kernel has no half for GPUs"
warm=$(HIT_DEVICES=host "$scratch/shared/plate")
echo "ok: the template, for GPUs, prints $warm"
expect "$architectures" compiled_for shared
cmake "$scratch/shared" >"$scratch/again.log" || fail "to configure again"
expect "$architectures" compiled_for shared

user "$prefix" "$template" static -DCMAKE_CUDA_COMPILER="$nvcc" -Dhit_USE_STATIC_LIBS=ON
if readelf -d "$scratch/static/plate" | grep -E 'NEEDED.*lib(hit|cu|nv)'; then fail "static: not all is in the program"; fi
expect "$warm" env HIT_DEVICES=host "$scratch/static/plate"

# what the user names stays, also if it is what nvcc takes by itself
for named in 80-real 75; do
    cmake "$scratch/shared" -DCMAKE_CUDA_ARCHITECTURES=$named >"$scratch/named.log" || fail "to configure for $named"
    expect "${named%-real}" compiled_for shared
done
sed -i 's/^hit_add_kernels/set_target_properties(plate PROPERTIES CUDA_ARCHITECTURES 90)\n&/' "$template/CMakeLists.txt"
cmake -G Ninja -S "$template" -B "$scratch/target" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CUDA_COMPILER="$nvcc" \
    >"$scratch/target.log" 2>&1 || { tail -n 30 "$scratch/target.log" && fail "to configure a target for 90"; }
expect 90 compiled_for target
