/* SPDX-License-Identifier: MIT
 * The mean of the four neighbours. */
#include "hit/kernel.h"

HIT_KERNEL(relax, (i, j), (out, double, next, "[i, j]"),
           (in, double, now, "[i-1:i+1, j] [i, j-1:j+1]"))
{
    hit(next, i, j) = 0.25 * (hit(now, i - 1, j) + hit(now, i + 1, j) +
                              hit(now, i, j - 1) + hit(now, i, j + 1));
}
