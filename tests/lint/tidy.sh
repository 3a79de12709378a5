#!/bin/sh
# SPDX-License-Identifier: MIT
# Stands between CMake and clang-tidy: kernels are left out, since what the macros of hit/kernel.h make of
# them is for the compiler, and what is built a second time for the played CUDA runtime.
# Paths are nearly all of the time of clang-tidy. By day clang-analyzer follows those through the library to a third of its
# depth (nodes of the graph of a function's states), and none through tests, which run under sanitizers; at night
# (NIGHTLY=1) all.
# usage: tidy.sh CLANG-TIDY ARGUMENT..., with the source file and the object among the arguments
tests=no
for argument; do
    case $argument in *.k.c | *.checked.c | *.vectors.c | */hit_shared.c) exit 0 ;; esac
    case $argument in
    *fake_cuda/CMakeFiles/fake_cuda_device.dir/__/__/__/* | *fake_cuda/CMakeFiles/fake_cuda.[clq]*.dir/*) exit 0 ;;
    *fake_cuda/CMakeFiles/*/__/__/__/*) ;; # of the library, with CUDA
    *fake_cuda/CMakeFiles/*/__/__/*.o) exit 0 ;;
    esac
    case ${NIGHTLY:-0}$argument in 0"${0%/lint/tidy.sh}"/*.c) tests=yes ;; esac
done
tidy=$1
shift
if [ "$tests" = yes ]; then
    set -- "--checks=-clang-analyzer-*" "$@"
elif [ "${NIGHTLY:-0}" = 0 ]; then
    for word in max-nodes=75000 -Xclang -analyzer-config -Xclang; do set -- "--extra-arg-before=$word" "$@"; done
fi
exec "$tidy" "$@"
