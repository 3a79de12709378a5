/* SPDX-License-Identifier: MIT
 * Kernels for tests/python/test_hit.py: values of several types, scalar results, a
 * struct. */
#include "hit/sum.h"
#include "tests/python/pair.h"

HIT_KERNEL(scale, (i), (inout, double, a, "[i]"), (value, double, by),
           (value, int32_t, plus))
{
    hit(a, i) = hit(a, i) * by + plus;
}

HIT_KERNEL(total, (i, j), (sum, double, out, "[]"), (in, double, a, "[i, j]"))
{
    hit(out) += hit(a, i, j);
}

HIT_KERNEL(times, (i, j), (inout, hit_bfloat16, a, "[i, j]"), (value, hit_bfloat16, by))
{
    hit(a, i, j) = hit_bfloat16_from_float(hit_bfloat16_to_float(hit(a, i, j)) *
                                           hit_bfloat16_to_float(by));
}

HIT_KERNEL(shift, (i, j), (out, double, next, "[i, j]"),
           (in, double, now, "[i-1:i+1, j]"))
{
    hit(next, i, j) = hit(now, i - 1, j) + 10 * hit(now, i + 1, j);
}

HIT_KERNEL(pairs, (i), (out, pair, a, "[i]"), (value, pair, first))
{
    hit(a, i).number = first.number + (int)i;
    hit(a, i).half = first.half / 2;
}

static HIT_INLINE void pair_start(pair *best)
{
    best->number = -1;
}

static HIT_INLINE void pair_best(pair *onto, const pair *from)
{
    if (onto->number < 0 || from->half > onto->half) *onto = *from;
}

HIT_REDUCTION(pair, pair_start, pair_best);

HIT_KERNEL(best, (i), (reduce, pair, out, "[]"), (in, double, a, "[i]"))
{
    const pair here = {(int)i, hit(a, i)};

    pair_best(&hit(out), &here);
}

HIT_KERNEL(exact, (i), (reduce, hit_sum, out, "[]"), (in, double, a, "[i]"))
{
    hit_sum_add(&hit(out), hit(a, i));
}

HIT_KERNEL(rounded, (i), (out, double, value, "[i]"), (in, hit_sum, total, "[]"))
{
    hit(value, i) = hit_sum_value(&hit(total));
}

HIT_KERNEL(turn, (i), (inout, hit_complex_double, a, "[i]"),
           (value, hit_complex_double, by))
{
    hit(a, i) = hit(a, i) * by;
}
