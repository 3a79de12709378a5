/* SPDX-License-Identifier: MIT
 * A whole box of no index. */
#include "hit/kernel.h"

HIT_BOX_KERNEL(once_box, (), (inout, int64_t, y, "[k]"), (value, hit_index, k))
{
    const hit_index k = *(const hit_index *)run->slot[1].base;
    int64_t *y = (int64_t *)hit_run_address(run, 0, 1, &k, sizeof *y);

    *y = -*y + run->begin[0];
    return HIT_OK;
}
