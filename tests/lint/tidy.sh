#!/bin/sh
# SPDX-License-Identifier: MIT
# Stands between CMake and clang-tidy: kernels are left out, since what the macros of hit/kernel.h make of
# them is for the compiler, and tests that are built a second time for the played CUDA runtime.
# usage: tidy.sh CLANG-TIDY ARGUMENT..., with the source file and the object among the arguments
for argument; do
    case $argument in *.k.c | *.checked.c | */hit_shared.c) exit 0 ;; esac
    case $argument in
    *fake_cuda/CMakeFiles/*/__/__/__/*) ;; # the library's
    *fake_cuda/CMakeFiles/*/__/__/*.o) exit 0 ;;
    esac
done
exec "$@"
