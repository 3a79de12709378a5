/* SPDX-License-Identifier: MIT
 * Stencils of radius 1: heat, the 5-point step in two dimensions that README.md opens
 * with, and stencil7, its sister in three. Additions are in the order they are written,
 * so that any partition gives the bits of a sequential loop. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_OPERATIONS(heat_float, 7);
HIT_KERNEL(heat_float, (i, j),
    (out,   float, next, "[i, j]"),
    (in,    float, now,  "[i-1:i+1, j] [i, j-1:j+1]"),
    (value, float, c))
{
    hit(next, i, j) = hit(now, i, j) + c * (hit(now, i - 1, j) + hit(now, i + 1, j) +
                                            hit(now, i, j - 1) + hit(now, i, j + 1) -
                                            4.0f * hit(now, i, j));
}

HIT_OPERATIONS(heat_double, 7);
HIT_KERNEL(heat_double, (i, j),
    (out,   double, next, "[i, j]"),
    (in,    double, now,  "[i-1:i+1, j] [i, j-1:j+1]"),
    (value, double, c))
{
    hit(next, i, j) = hit(now, i, j) + c * (hit(now, i - 1, j) + hit(now, i + 1, j) +
                                            hit(now, i, j - 1) + hit(now, i, j + 1) -
                                            4.0 * hit(now, i, j));
}

HIT_OPERATIONS(stencil7_float, 9);
HIT_KERNEL(stencil7_float, (i, j, k),
    (out,   float, next, "[i, j, k]"),
    (in,    float, now,  "[i-1:i+1, j, k] [i, j-1:j+1, k] [i, j, k-1:k+1]"),
    (value, float, c))
{
    hit(next, i, j, k) =
        hit(now, i, j, k) + c * (hit(now, i - 1, j, k) + hit(now, i + 1, j, k) +
                                 hit(now, i, j - 1, k) + hit(now, i, j + 1, k) +
                                 hit(now, i, j, k - 1) + hit(now, i, j, k + 1) -
                                 6.0f * hit(now, i, j, k));
}

HIT_OPERATIONS(stencil7_double, 9);
HIT_KERNEL(stencil7_double, (i, j, k),
    (out,   double, next, "[i, j, k]"),
    (in,    double, now,  "[i-1:i+1, j, k] [i, j-1:j+1, k] [i, j, k-1:k+1]"),
    (value, double, c))
{
    hit(next, i, j, k) =
        hit(now, i, j, k) + c * (hit(now, i - 1, j, k) + hit(now, i + 1, j, k) +
                                 hit(now, i, j - 1, k) + hit(now, i, j + 1, k) +
                                 hit(now, i, j, k - 1) + hit(now, i, j, k + 1) -
                                 6.0 * hit(now, i, j, k));
}
