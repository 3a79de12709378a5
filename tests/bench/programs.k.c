/* SPDX-License-Identifier: MIT
 * The kernels of programs.c. */
#include "hit/kernel.h"

/* clang-format off */
HIT_KERNEL(life, (i, j), (out, uint8_t, next, "[i, j]"),
           (in, uint8_t, now, "[i-1:i+1, j-1:j+1]"))
{
    const uint8_t around = (uint8_t)(
        hit(now, i - 1, j - 1) + hit(now, i - 1, j) + hit(now, i - 1, j + 1) +
        hit(now, i, j - 1) + hit(now, i, j + 1) +
        hit(now, i + 1, j - 1) + hit(now, i + 1, j) + hit(now, i + 1, j + 1));

    hit(next, i, j) = (uint8_t)((around == 3) | ((around == 2) & hit(now, i, j)));
}

/* All three are selections of one plate with strides of 2. */
HIT_KERNEL(relax, (i, j), (inout, float, own, "[i, j]"),
           (in, float, row, "[i, j-1:j+1]"), (in, float, column, "[i-1:i+1, j]"),
           (value, float, omega))
{
    const float mean = 0.25f * (hit(row, i, j - 1) + hit(row, i, j + 1) +
                                hit(column, i - 1, j) + hit(column, i + 1, j));

    hit(own, i, j) += omega * (mean - hit(own, i, j));
}
