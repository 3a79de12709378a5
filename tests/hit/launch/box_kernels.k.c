/* SPDX-License-Identifier: MIT
 * Kernels of whole boxes, for the host alone. */
#include "hit/kernel.h"

HIT_BOX_KERNEL(where_box, (i, j), (out, int64_t, y, "[i, j]"))
{
    (void)run;
    return HIT_OK;
}

HIT_BOX_KERNEL(fail_if, (i), (inout, double, x, "[i]"), (value, int, bad))
{
    const int *bad = run->slot[1].base;

    return *bad != 0 ? HIT_FAIL(HIT_E_DEVICE, "as it should") : HIT_OK;
}
