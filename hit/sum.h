/* SPDX-License-Identifier: MIT
 * Sums with the same bits on any number of processes, threads, devices and superblocks,
 * under any layout: an element of type hit_sum keeps the exact sum of numbers, which does
 * not depend on their order; hit_sum_value() rounds it once. For kernel files, and for
 * programs that read such a sum:
 *
 *     HIT_KERNEL(norm, (i), (in, float, x, "[i]"), (reduce, hit_sum, total, "[]")) {
 *         hit_sum_add(&hit(total), (double)hit(x, i) * hit(x, i));
 *     }
 *
 * with a tile of HIT_BYTES(hit_sum). Terms are the same everywhere if the kernel is
 * compiled as strict (HIT_STRICT of hit_add_kernels()). Fixed-point digits as in R. Neal,
 * "Fast exact summation using small and large superaccumulators", arXiv:1505.05571. */
#ifndef HIT_SUM_H
#define HIT_SUM_H

#include "hit/kernel.h"

#include <math.h>
#include <string.h>

enum {
    HIT_SUM_DIGITS = 68,    /**< of 32 bits: all doubles, and 2^64 times the largest */
    HIT_SUM_PENDING = 1024, /**< additions until carries are passed on */
    HIT_SUM_LEAST = -1074,  /**< digit d counts 2^(32 d + HIT_SUM_LEAST) */
    HIT_SUM_INFINITE = 1,   /**< bits of hit_sum.special */
    HIT_SUM_MINUS_INFINITE = 2,
    HIT_SUM_NAN = 4
};

/** The exact sum of what was added; 0 bytes are the sum of nothing. */
typedef struct hit_sum {
    int64_t digit[HIT_SUM_DIGITS]; /**< signed; below 2^63 with what is pending */
    int32_t pending;               /**< additions since carries were passed on */
    int32_t special;               /**< what was added that is not finite */
} hit_sum;

/** An empty sum, of one whose bytes are 0. */
static HIT_INLINE void hit_sum_start(hit_sum *sum)
{
    (void)sum;
}

/** Bring all digits but the last one to 0..2^32-1; the last one has the sign. */
static HIT_INLINE void hit_sum_carry(hit_sum *sum)
{
    for (int d = 0; d + 1 < HIT_SUM_DIGITS; d++) {
        sum->digit[d + 1] += sum->digit[d] >> 32;
        sum->digit[d] &= 0xffffffff;
    }
    sum->pending = 0;
}

/** Add a number to the sum, exactly. */
static HIT_INLINE void hit_sum_add(hit_sum *sum, double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof(bits));
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const int place = exponent > 0 ? exponent - 1 : 0; /* of the last bit, from LEAST */
    const int shift = place % 32;
    const int64_t fraction = (int64_t)(bits & 0xfffffffffffff);
    const int64_t whole = fraction | (int64_t)(exponent > 0) << 52;
    const int64_t sign = (bits >> 63) != 0 ? -1 : 0;

    if (exponent == 0x7ff) {
        sum->special |= fraction != 0 ? HIT_SUM_NAN
                        : sign != 0   ? HIT_SUM_MINUS_INFINITE
                                      : HIT_SUM_INFINITE;
        return;
    }
    const int64_t low = (int64_t)((uint64_t)whole << shift & 0xffffffff);
    const int64_t high = whole >> (32 - shift);
    sum->digit[place / 32] += (low ^ sign) - sign;
    sum->digit[place / 32 + 1] += (high ^ sign) - sign;
    if (++sum->pending == HIT_SUM_PENDING) hit_sum_carry(sum);
}

/** Add the sum @p from to @p onto, exactly. */
static HIT_INLINE void hit_sum_combine(hit_sum *onto, const hit_sum *from)
{
    hit_sum_carry(onto);
    for (int d = 0; d < HIT_SUM_DIGITS; d++) {
        onto->digit[d] += from->digit[d];
    }
    hit_sum_carry(onto);
    onto->special |= from->special;
}

HIT_REDUCTION(hit_sum, hit_sum_start, hit_sum_combine);

/* Bit @p place of digits that have no carries. */
static HIT_INLINE int hit_sum_bit(const hit_sum *sum, int place)
{
    return (int)(sum->digit[place / 32] >> (place % 32) & 1);
}

/** The double that is nearest to the sum, of two equally near ones the even one; an
 * infinity where it is too large, or was added; a NaN where one was added, or infinities
 * of both signs. The sum of nothing is +0. */
static HIT_INLINE double hit_sum_value(const hit_sum *sum)
{
    hit_sum size = *sum; /* without its sign */
    uint64_t kept = 0;
    int top = 32 * HIT_SUM_DIGITS - 1;
    int least = 0;
    bool more = false;

    if ((sum->special & HIT_SUM_NAN) != 0 || sum->special == 3) return (double)NAN;
    if (sum->special != 0) {
        return sum->special == HIT_SUM_INFINITE ? (double)INFINITY : -(double)INFINITY;
    }
    hit_sum_carry(&size);
    const bool negative = size.digit[HIT_SUM_DIGITS - 1] < 0;
    for (int d = 0; d < HIT_SUM_DIGITS && negative; d++) {
        size.digit[d] = -size.digit[d];
    }
    hit_sum_carry(&size);
    while (top > 0 && hit_sum_bit(&size, top) == 0) {
        top--;
    }
    if (top > 52) least = top - 52;
    for (int place = top; place >= least; place--) {
        kept = kept << 1 | (uint64_t)hit_sum_bit(&size, place);
    }
    for (int place = 0; place < least - 1 && !more; place++) {
        more = hit_sum_bit(&size, place) != 0;
    }
    if (least > 0 && hit_sum_bit(&size, least - 1) != 0 && (more || (kept & 1) != 0)) {
        kept++;
    }
    const double value = ldexp((double)kept, least + HIT_SUM_LEAST);
    return negative ? -value : value;
}

#endif
