/* SPDX-License-Identifier: MIT
 * Kernels of no index. */
#include "hit/kernel.h"

HIT_KERNEL(once_step, (), (inout, int64_t, at, "[]"), (inout, int64_t, path, "[s:s+1]"),
           (value, hit_index, s))
{
    hit(at) += s;
    hit(path, s) += hit(at);
    hit(path, s + 1) -= hit(at);
}

/* All that other processes have, too. */
HIT_KERNEL(once_turn, (), (out, int64_t, y, "[:]"), (in, int64_t, x, "[:]"))
{
    const hit_index both = hit_begin(y, 0) + hit_end(y, 0);

    for (hit_index i = hit_begin(y, 0); i <= hit_end(y, 0); i++) {
        hit(y, i) = hit(x, both - i) - i;
    }
}

HIT_KERNEL(once_sum, (), (sum, int64_t, total, "[]"), (max, int64_t, most, "[]"),
           (in, int64_t, x, "[first:last, :]"), (value, hit_index, first),
           (value, int32_t, last))
{
    for (hit_index i = first; i <= last; i++) {
        for (hit_index j = hit_begin(x, 1); j <= hit_end(x, 1); j++) {
            hit(total) += (i + 1) * hit(x, i, j);
            if (hit(x, i, j) > hit(most)) hit(most) = hit(x, i, j);
        }
    }
}

/* What stands in an element says which one is read. */
HIT_KERNEL(once_pick, (), (inout, int64_t, y, "[k]"), (in, int64_t, x, "[at]"),
           (in, int64_t, at, "[k]"), (value, hit_index, k))
{
    hit(y, k) = 2 * hit(x, hit(at, k)) - hit(y, k);
}

/* What cannot be. */
HIT_KERNEL(once_index, (), (inout, int64_t, y, "[i]"))
{
    hit(y, 0) = 1;
}
