/* SPDX-License-Identifier: MIT
 * Steps in whole numbers, so that no order of sums changes results. */
#include "hit/kernel.h"

#define AROUND(t, i, j)                                                                  \
    (hit(t, i - 1, j) + hit(t, i + 1, j) + hit(t, i, j - 1) + hit(t, i, j + 1))

HIT_KERNEL(step, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(next, i, j) = (AROUND(now, i, j) + 3 * hit(now, i, j)) % 1009;
}

HIT_KERNEL(valued, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, int64_t, n))
{
    hit(next, i, j) = (AROUND(now, i, j) + 3 * hit(now, i, j) + n) % 1009;
}

HIT_KERNEL(tabled, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-1:i+1, j] [i, j-1:j+1]"), (in, int64_t, table, "[:]"))
{
    hit(next, i, j) =
        (AROUND(now, i, j) + 3 * hit(now, i, j) + hit(table, 1) + hit(table, 6)) % 1009;
}

HIT_KERNEL(total, (i, j), (sum, int64_t, all, "[0]"), (in, int64_t, now, "[i, j]"))
{
    hit(all, 0) += hit(now, i, j);
}

HIT_OPERATIONS(bump, 150);
HIT_KERNEL(bump, (i, j), (inout, int64_t, now, "[i, j]"))
{
    int64_t x = hit(now, i, j);

    for (int n = 0; n < 50; n++) { /* long enough to leave it to another thread */
        x = (5 * x + i + j) % 1009;
    }
    hit(now, i, j) = x;
}
