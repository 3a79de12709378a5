/* SPDX-License-Identifier: MIT
 * Kernels whose results are combined by functions of their types. */
#include "tests/hit/run/reduce_types.h"

HIT_KERNEL(greatest, (i, j), (reduce, place, most, "[]"), (reduce, place, row, "[i]"),
           (in, double, x, "[i, j]"))
{
    const place mine = {hit(x, i, j), 1000 * i + j};

    place_combine(&hit(most), &mine);
    place_combine(&hit(row, i), &mine);
}

HIT_KERNEL(exact, (i, j), (reduce, hit_sum, total, "[]"),
           (reduce, hit_sum, column, "[j]"), (in, double, x, "[i, j]"))
{
    hit_sum_add(&hit(total), hit(x, i, j));
    hit_sum_add(&hit(column, j), hit(x, i, j));
}

/* Needs its neighbours' elements. */
HIT_KERNEL(jumps, (i, j), (reduce, hit_sum, total, "[]"), (in, double, x, "[i-1:i+1, j]"))
{
    hit_sum_add(&hit(total), hit(x, i + 1, j) - hit(x, i - 1, j));
}

static HIT_INLINE void one(uint64_t *number)
{
    *number = 1;
}

static HIT_INLINE void times(uint64_t *onto, const uint64_t *from)
{
    *onto *= *from;
}

HIT_REDUCTION(uint64_t, one, times);

HIT_KERNEL(product, (i), (reduce, uint64_t, all, "[]"), (in, uint64_t, x, "[i]"))
{
    hit(all) *= hit(x, i);
}

/* Does not combine. */
HIT_KERNEL(assigns, (i), (reduce, uint64_t, all, "[]"), (in, uint64_t, x, "[i]"))
{
    hit(all) = hit(x, i);
}
