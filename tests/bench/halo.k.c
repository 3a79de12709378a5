/* SPDX-License-Identifier: MIT
 * Neighbours along one dimension, and none: the difference is what messages cost. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(halo_rows, (i, j, k),
    (out, float, next, "[i, j, k]"),
    (in,  float, now,  "[i-1:i+1, j, k]"))
{
    hit(next, i, j, k) = hit(now, i - 1, j, k) + hit(now, i + 1, j, k);
}

HIT_KERNEL(halo_columns, (i, j, k),
    (out, float, next, "[i, j, k]"),
    (in,  float, now,  "[i, j-1:j+1, k]"))
{
    hit(next, i, j, k) = hit(now, i, j - 1, k) + hit(now, i, j + 1, k);
}

HIT_KERNEL(halo_layers, (i, j, k),
    (out, float, next, "[i, j, k]"),
    (in,  float, now,  "[i, j, k-1:k+1]"))
{
    hit(next, i, j, k) = hit(now, i, j, k - 1) + hit(now, i, j, k + 1);
}
