#!/bin/sh
# SPDX-License-Identifier: MIT
# Stands between CMake and clang-tidy: kernels are left out, since what the macros of hit/kernel.h make of
# them is for the compiler. usage: tidy.sh CLANG-TIDY ARGUMENT..., with the source file among the arguments
for argument; do
    case $argument in *.k.c | *.checked.c | */hit_shared.c) exit 0 ;; esac
done
exec "$@"
