/* SPDX-License-Identifier: MIT
 * A kernel of whole boxes, for the host alone. */
#include "hit/kernel.h"

HIT_BOX_KERNEL(where_box, (i, j), (out, int64_t, y, "[i, j]"))
{
    (void)run;
    return HIT_OK;
}
