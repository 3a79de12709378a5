/* SPDX-License-Identifier: MIT
 * Kernels for tests of measured costs; the test lets their indices take time. */
#include "hit/kernel.h"

/* clang-format off */

HIT_KERNEL(dear, (i, j),
    (inout, double, water, "[i, j]"),
    (in,    uint8_t, wet,  "[i, j]"))
{
    hit(water, i, j) = 3.9 * hit(water, i, j) * (1 - hit(water, i, j)) + 0 * hit(wet, i, j);
}

HIT_KERNEL(add_up, (i, j),
    (sum, double, all, "[]"),
    (in,    uint8_t, wet,  "[i, j]"))
{
    hit(all) += hit(wet, i, j);
}
