/* SPDX-License-Identifier: MIT
 * Work at some of the indices only: water that mixes, where there is water. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(mix, (i, j),
    (inout, double, water, "[i, j]"),
    (in,    double, wet,   "[i, j]"))
{
    double x = hit(water, i, j);

    if (hit(wet, i, j) == 0) return;
    for (int k = 0; k < 100; k++) {
        x = 3.9 * x * (1 - x);
    }
    hit(water, i, j) = x;
}
