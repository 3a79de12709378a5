/* SPDX-License-Identifier: MIT
 * Element kernels without a checked half: hit_add_kernels() does not see this file. */
#include "hit/kernel.h"

HIT_KERNEL(plain_right, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i]"))
{
    hit(b, i) = hit(a, i) - hit(a, i - 1);
}

HIT_KERNEL(plain_wrong, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) = hit(a, i) - hit(a, i - 1);
}

/* Indices three apart leave elements out. */
HIT_KERNEL(plain_pairs, (i), (sum, int64_t, b, "[i:i+1]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) += hit(a, i);
    hit(b, i + 1) += hit(a, i);
}

HIT_BOX_KERNEL(plain_pairs_box, (i), (out, int64_t, b, "[i:i+1]"),
               (in, int64_t, a, "[i]"))
{
    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        const int64_t *a = hit_run_address(run, 1, 1, &i, sizeof(int64_t));
        int64_t *b = hit_run_address(run, 0, 1, &i, sizeof(int64_t));

        b[0] = b[1] = *a;
    }
    return HIT_OK;
}

/* Data says where it writes, and which indices run. */
HIT_KERNEL(plain_put, (i), (out, int64_t, b, "[a]"), (in, int64_t, a, "[i]"))
{
    hit(b, hit(a, i)) = i;
}

HIT_KERNEL(plain_some, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) = i;
}
