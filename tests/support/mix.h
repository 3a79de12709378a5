/* SPDX-License-Identifier: MIT
 * A kernel of whole boxes for tests of tasks: each element of c becomes mixed() of those
 * of c, a and b, so that the order of launches shows. */
#ifndef TESTS_SUPPORT_MIX_H
#define TESTS_SUPPORT_MIX_H

#include "patterns/kernel.h"

#include <stdint.h>

static inline int64_t mixed(int64_t c, int64_t a, int64_t b)
{
    return (3 * c + a + 2 * b + 1) % 1000003;
}

/** Row @p i of argument @p arg of a tile of two dimensions. */
static inline int64_t *mix_row(const hit_run *run, int arg, hit_index i)
{
    const hit_slot *slot = &run->slot[arg];

    return (int64_t *)slot->base + (slot->begin[0] + i) * slot->stride[0] +
           slot->begin[1] * slot->stride[1];
}

/** Blocks of @p edge rows and columns. */
static inline void mix_blocks(const hit_run *run, int edge)
{
    for (int i = 0; i < edge; i++) {
        int64_t *c = mix_row(run, 0, i);

        for (int j = 0; j < edge; j++) {
            c[j] = mixed(c[j], mix_row(run, 1, i)[j], mix_row(run, 2, i)[j]);
        }
    }
}

/** The kernel, of a function that calls mix_blocks(). */
#define MIX_KERNEL(function)                                                             \
    {                                                                                    \
        .name = "mix", .dims = 1, .index = {"k"}, .args = 3,                             \
        .arg =                                                                           \
            (const hit_kernel_arg[]){                                                    \
                {HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "c", "[:, :]"},      \
                {HIT_MODE_IN, {HIT_KIND_INT64, sizeof(int64_t)}, "a", "[:, :]"},         \
                {HIT_MODE_IN, {HIT_KIND_INT64, sizeof(int64_t)}, "b", "[:, :]"}},        \
        .whole_box = 1, .host = (function)                                               \
    }

#endif
