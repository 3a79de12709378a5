/* SPDX-License-Identifier: MIT
 * A symmetric update of rank one, of which a launch runs a triangle or a band. */
#include "hit/kernel.h"

HIT_KERNEL(rank_one, (i, j), (inout, float, a, "[i, j]"), (in, float, x, "[i]"),
           (in, float, y, "[j]"), (value, hit_index, w))
{
    (void)w; /* it stands in HIT_WHERE() */
    hit(a, i, j) += hit(x, i) * hit(y, j);
}
HIT_BY_ROWS(rank_one);
