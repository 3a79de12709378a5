/* SPDX-License-Identifier: MIT
 * A kernel of the host that fails when it is told to. */
#include "hit/kernel.h"

/* All elements become @p value; it fails where that is negative. */
HIT_BOX_KERNEL(set_or_fail, (i, j), (out, int64_t, c, "[i, j]"), (value, int64_t, value))
{
    const int64_t value = *(const int64_t *)run->slot[1].base;

    if (value < 0) return HIT_FAIL(HIT_E_DEVICE, "the kernel was made to fail");
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            const hit_index at[] = {i, j};

            *(int64_t *)hit_run_address(run, 0, 2, at, sizeof(int64_t)) = value;
        }
    }
    return HIT_OK;
}
