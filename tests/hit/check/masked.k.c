/* SPDX-License-Identifier: MIT
 * A kernel of which a launch runs the indices that a tile says. */
#include "hit/kernel.h"

HIT_KERNEL(masked, (i, j), (out, int64_t, b, "[i, j]"),
           (in, int64_t, a, "[i-1:i+1, j] [i, j-1:j+1]"), (in, int64_t, wet, "[i, j]"))
{
    hit(b, i, j) = hit(a, i, j) + hit(a, i - 1, j) + hit(a, i + 1, j) + hit(a, i, j - 1) +
                   hit(a, i, j + 1);
}
