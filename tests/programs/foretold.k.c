/* SPDX-License-Identifier: MIT
 * Kernels of small programs that dry runs foretold otherwise. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(foretold_write, (i), (out, int64_t, a, "[i]"))
{
    hit(a, i) = i;
}

HIT_KERNEL(foretold_left, (i), (out, int64_t, a, "[i]"), (in, int64_t, b, "[i-1]"))
{
    hit(a, i) = hit(b, i - 1) + 1;
}

HIT_KERNEL(foretold_near, (i), (out, int64_t, a, "[i]"), (in, int64_t, b, "[i-1:i+2]"))
{
    hit(a, i) = hit(b, i - 1) + hit(b, i + 2);
}

HIT_KERNEL(foretold_half, (i), (inout, int64_t, a, "[i]"), (in, int64_t, b, "[i/2-1:i/2]"))
{
    hit(a, i) += hit(b, i / 2) - hit(b, i / 2 - 1);
}

HIT_KERNEL(foretold_moved, (i, j), (out, int64_t, a, "[i, j+s]"), (value, hit_index, s))
{
    hit(a, i, j + s) = i + j;
}
