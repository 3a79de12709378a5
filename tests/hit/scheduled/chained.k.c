/* SPDX-License-Identifier: MIT
 * A wide step that reads beyond the boundary, and a narrow one. */
#include "hit/kernel.h"

HIT_KERNEL(chained_step, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(next, i, j) = (hit(now, i - 1, j) + hit(now, i + 1, j) + hit(now, i, j - 1) +
                       hit(now, i, j + 1) + 3 * hit(now, i, j)) %
                      1009;
}

HIT_KERNEL(chained_bump, (i, j), (inout, int64_t, x, "[i, j]"))
{
    hit(x, i, j) = (5 * hit(x, i, j) + i + j) % 1009;
}
