/* SPDX-License-Identifier: MIT
 * Stencils of radius 1: heat, the 5-point step in two dimensions that README.md opens
 * with, and stencil7, its sister in three. Additions are in the order they are written,
 * so that any partition gives the bits of a sequential loop. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

#define HEAT(type)                                                                       \
    HIT_OPERATIONS(heat_##type, 7);                                                      \
    HIT_VECTOR_KERNEL(heat_##type, (i, j),                                                      \
        (out,   type, next, "[i, j]"),                                                   \
        (in,    type, now,  "[i-1:i+1, j] [i, j-1:j+1]"),                                \
        (value, type, c))                                                                \
    {                                                                                    \
        hit(next, i, j) =                                                                \
            hit(now, i, j) + c * (hit(now, i - 1, j) + hit(now, i + 1, j) +              \
                                  hit(now, i, j - 1) + hit(now, i, j + 1) -              \
                                  (type)4 * hit(now, i, j));                             \
    }

#define STENCIL7(type)                                                                   \
    HIT_OPERATIONS(stencil7_##type, 9);                                                  \
    HIT_VECTOR_KERNEL(stencil7_##type, (i, j, k),                                               \
        (out,   type, next, "[i, j, k]"),                                                \
        (in,    type, now,  "[i-1:i+1, j, k] [i, j-1:j+1, k] [i, j, k-1:k+1]"),          \
        (value, type, c))                                                                \
    {                                                                                    \
        hit(next, i, j, k) =                                                             \
            hit(now, i, j, k) + c * (hit(now, i - 1, j, k) + hit(now, i + 1, j, k) +     \
                                     hit(now, i, j - 1, k) + hit(now, i, j + 1, k) +     \
                                     hit(now, i, j, k - 1) + hit(now, i, j, k + 1) -     \
                                     (type)6 * hit(now, i, j, k));                       \
    }

HEAT(float)
HEAT(double)
STENCIL7(float)
STENCIL7(double)
