/* SPDX-License-Identifier: MIT
 * A kernel that does next to nothing. */
#include "hit/kernel.h"

HIT_KERNEL(empty, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(next, i, j) = hit(now, i, j) * c;
}

HIT_KERNEL(empty_row, (j), (out, float, y, "[7, j]"), (in, float, x, "[7, j]"),
           (value, hit_index, k))
{
    (void)hit(x, k, j);
    (void)hit(y, k, j);
}

HIT_KERNEL(empty_at, (j), (out, float, y, "[k, j]"), (in, float, x, "[k, j]"),
           (value, hit_index, k))
{
    (void)hit(x, k, j);
    (void)hit(y, k, j);
}
