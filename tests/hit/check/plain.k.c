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
