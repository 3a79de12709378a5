/* SPDX-License-Identifier: MIT
 * A stencil with much to do per point, and one that does nothing and moves the same. */
#include "hit/kernel.h"

HIT_KERNEL(busy, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    float x =
        hit(now, i - 1, j) + hit(now, i + 1, j) + hit(now, i, j - 1) + hit(now, i, j + 1);

    for (int k = 0; k < 40; k++) {
        x = x * c + hit(now, i, j);
    }
    hit(next, i, j) = x;
}

HIT_KERNEL(idle, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    (void)c;
    (void)hit_p_next;
    (void)hit_p_now;
}
