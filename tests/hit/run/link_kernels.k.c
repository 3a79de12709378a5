/* SPDX-License-Identifier: MIT
 * Kernels for the test of what crosses to devices, and back. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(plain, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i, j] [i-1, j] [i+1, j] [i, j-1] [i, j+1]"))
{
    hit(next, i, j) = (hit(now, i, j) + 3 * hit(now, i - 1, j) + hit(now, i + 1, j) +
                       5 * hit(now, i, j - 1) + hit(now, i, j + 1) + i - j) % 1009;
}

HIT_KERNEL(looked_up, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i, j] [i-1, j] [i+1, j] [i, j-1] [i, j+1]"),
           (in, int64_t, table, "[:]"))
{
    const hit_index k = hit_begin(table, 0) + (i + j) % (hit_end(table, 0) + 1);

    hit(next, i, j) = (hit(now, i, j) + 3 * hit(now, i - 1, j) + hit(now, i + 1, j) +
                       5 * hit(now, i, j - 1) + hit(now, i, j + 1) + hit(table, k)) % 1009;
}

HIT_KERNEL(add_up, (i, j), (sum, int64_t, total, "[]"), (in, int64_t, now, "[i, j]"))
{
    hit(total) += hit(now, i, j);
}
