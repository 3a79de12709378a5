/* SPDX-License-Identifier: MIT
 * Kernels for launches that are too large to look at every index. */
#include "hit/kernel.h"

/* one index touches what all are declared to touch */
HIT_KERNEL(large_rare, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i]"))
{
    hit(b, i) = hit(a, i);
    if (i == 31337) hit(b, i) += hit(a, i - 1);
}

HIT_KERNEL(large_wide, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i]"))
{
    hit(b, i) = hit(a, i);
}

/* one index touches what it should not */
HIT_KERNEL(large_stray, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) = hit(a, i);
    if (i == 31337) hit(b, i) += hit(a, i - 1);
}

/* all of them do */
HIT_KERNEL(large_wrong, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) = hit(a, i - 1);
}
