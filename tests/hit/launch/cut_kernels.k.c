/* SPDX-License-Identifier: MIT
 * A product, which needs all of a row and of a column for each element, and a stencil. */
#include "hit/kernel.h"

HIT_KERNEL(cut_product, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
           (in, int64_t, b, "[:, j]"))
{
    for (hit_index k = hit_begin(a, 1); k <= hit_end(a, 1); k++) {
        hit(c, i, j) += hit(a, i, k) * hit(b, k, j);
    }
}

HIT_KERNEL(cut_star, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(next, i, j) = hit(now, i - 1, j) + hit(now, i + 1, j) + 2 * hit(now, i, j - 1) +
                      3 * hit(now, i, j + 1);
}
