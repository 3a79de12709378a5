/* SPDX-License-Identifier: MIT
 * What the kernels of tests/hit/run/test_held.c do to an element. */
#ifndef TESTS_HIT_RUN_HELD_KERNELS_H
#define TESTS_HIT_RUN_HELD_KERNELS_H

#include "hit/kernel.h"

static HIT_INLINE int64_t held_blend(int64_t c, int64_t a, int64_t b)
{
    return (3 * c + 5 * a + 7 * b + 1) % 10007;
}

#endif
