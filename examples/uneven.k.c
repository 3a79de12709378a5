/* SPDX-License-Identifier: MIT
 * Work at some of the indices only: water that mixes. The launch asks where there is
 * some. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(mix, (i, j),
    (inout, double, water, "[i, j]"),
    (in,    uint8_t, wet,  "[i, j]"))
{
    double x = hit(water, i, j);

    for (int k = 0; k < 100; k++) {
        x = 3.9 * x * (1 - x);
    }
    hit(water, i, j) = x;
}
