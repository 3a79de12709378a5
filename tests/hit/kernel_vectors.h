/* SPDX-License-Identifier: MIT
 * Kernels of kernel_vectors.k.c and kernel_beside.k.c. */
#ifndef TESTS_HIT_KERNEL_VECTORS_H
#define TESTS_HIT_KERNEL_VECTORS_H

#include "patterns/kernel.h"

extern const hit_kernel vectors_line, vectors_floats, vectors_doubles, vectors_ints,
    vectors_longs, vectors_space, vectors_first, vectors_all, vectors_zero, vectors_half,
    vectors_named, vectors_joined, vectors_prefix, vectors_until, vectors_second,
    vectors_quotient, vectors_along, vectors_chosen, vectors_both;

#endif
