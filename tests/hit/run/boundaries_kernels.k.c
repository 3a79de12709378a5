/* SPDX-License-Identifier: MIT
 * Kernels that reach beyond boundaries of two arguments, to both sides and to one. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(near, (i), (out, int64_t, o, "[i]"), (in, int64_t, a, "[i-1:i+1]"), (in, int64_t, m, "[i-1:i]"))
{
    hit(o, i) = (hit(a, i - 1) + 3 * hit(a, i) + 5 * hit(a, i + 1) +
                 7 * hit(m, i - 1) + 11 * hit(m, i)) % 1009;
}

HIT_KERNEL(number, (i), (out, int64_t, o, "[i]"), (value, int64_t, from))
{
    hit(o, i) = from + 17 * i;
}

HIT_KERNEL(far, (i), (out, int64_t, o, "[i]"), (in, int64_t, a, "[i-3:i-2] [i+2]"), (in, int64_t, m, "[i+1:i+3]"))
{
    hit(o, i) = (hit(a, i - 3) + 3 * hit(a, i - 2) + 5 * hit(a, i + 2) +
                 7 * hit(m, i + 1) + 11 * hit(m, i + 3)) % 1009;
}

HIT_KERNEL(up, (i, j), (out, int64_t, o, "[i, j]"), (in, int64_t, a, "[i-1:i, j] [i, j-1:j+1]"),
           (in, int64_t, m, "[i-2:i+1, j+1]"))
{
    hit(o, i, j) = (hit(a, i - 1, j) + 3 * hit(a, i, j) + 5 * hit(a, i, j - 1) + 7 * hit(a, i, j + 1) +
                    11 * hit(m, i - 2, j + 1) + 13 * hit(m, i + 1, j + 1)) % 1009;
}

/* Of three cells one is written, all are read: what is filled in beyond a boundary joins no
 * block with them. */
HIT_KERNEL(cell, (i, j), (out, int64_t, o, "[i, 2, j]"), (in, int64_t, a, "[i+1, 1:2, j:j+1]"))
{
    hit(o, i, 2, j) = (hit(a, i + 1, 1, j) + 3 * hit(a, i + 1, 2, j + 1)) % 1009 + j;
}

HIT_KERNEL(cells, (i, j), (inout, int64_t, o, "[i, 0:2, j]"), (in, int64_t, a, "[i-1, :, j+1:j+2]"))
{
    for (hit_index k = 0; k < 3; k++) {
        hit(o, i, k, j) = (hit(o, i, k, j) + hit(a, i - 1, 2 - k, j + 2) + 5 * hit(a, i - 1, 2, j + 1)) % 1009;
    }
}

/* A launch in no chain. */
HIT_KERNEL(sum_line, (i), (sum, int64_t, s, "[]"), (in, int64_t, a, "[i]"))
{
    hit(s) += hit(a, i);
}
