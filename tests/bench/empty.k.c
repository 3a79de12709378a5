/* SPDX-License-Identifier: MIT
 * A kernel that does next to nothing. */
#include "hit/kernel.h"

HIT_KERNEL(empty, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(next, i, j) = hit(now, i, j) * c;
}
