/* SPDX-License-Identifier: MIT
 * Signatures: the integers begin, begin + stride, ..., end. The end is INCLUSIVE, as in
 * Hitmap and in [Torres2013] section III.A. sig.c is the only place that adds one or
 * divides indices. hit_sig_make() is in domain.h, for programs. */
#ifndef HIT_DATA_SIG_H
#define HIT_DATA_SIG_H

#include "hit/data/domain.h"

#include <stdbool.h>

HIT_C_BEGIN

/* Inline is what every launch asks, many times; the library has all of them as functions
 * too (C11 6.7.4). */

HIT_API inline bool hit_sig_is_empty(hit_sig sig)
{
    return sig.begin > sig.end;
}

HIT_API inline bool hit_sig_equal(hit_sig a, hit_sig b)
{
    return a.begin == b.begin && a.end == b.end && a.stride == b.stride;
}

HIT_API inline bool hit_sig_has(hit_sig sig, hit_index x)
{
    if (x < sig.begin || x > sig.end) return false;
    return sig.stride == 1 ||
           ((uint64_t)x - (uint64_t)sig.begin) % (uint64_t)sig.stride == 0;
}

/** The number of elements; INT64_MAX if there are more. */
HIT_API inline hit_index hit_sig_count(hit_sig sig)
{
    uint64_t steps = (uint64_t)sig.end - (uint64_t)sig.begin;

    if (sig.begin > sig.end) return 0;
    if (sig.stride != 1) steps /= (uint64_t)sig.stride;
    return steps >= INT64_MAX ? INT64_MAX : (hit_index)steps + 1;
}

/** Is every element of @p inner in @p outer? */
HIT_API inline bool hit_sig_inside(hit_sig inner, hit_sig outer)
{
    if (hit_sig_is_empty(inner)) return true;
    if (!hit_sig_has(outer, inner.begin) || !hit_sig_has(outer, inner.end)) return false;
    return inner.begin == inner.end || inner.stride % outer.stride == 0;
}

/** Of signatures of which one has a stride of more than 1. */
HIT_API hit_sig hit_sig_intersect_strided(hit_sig a, hit_sig b);

/** Exact for any strides (Chinese remainders). */
HIT_API inline hit_sig hit_sig_intersect(hit_sig a, hit_sig b)
{
    hit_sig both = {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end,
                    1};

    if (a.stride != 1 || b.stride != 1) return hit_sig_intersect_strided(a, b);
    if (both.begin <= both.end) return both;
    both.begin = 0;
    both.end = -1;
    return both;
}

/** Coarse union: the smallest signature that holds both, of stride gcd(s, s', |b - b'|).
 * @paper [Torres2013] section III.D; differs: the printed gcd(s, s') loses elements */
HIT_API hit_sig hit_sig_cover(hit_sig a, hit_sig b);
HIT_API hit_sig hit_sig_shift(hit_sig sig, hit_index by);
/** Move both ends outwards by @p width elements, that is by width strides (inwards if
 * negative). */
HIT_API hit_sig hit_sig_grow(hit_sig sig, hit_index width);
/** The k-th element, 0 <= k < count. */
HIT_API inline hit_index hit_sig_at(hit_sig sig, hit_index k)
{
    return sig.begin + k * sig.stride;
}

/** Elements first..last by position (0-based, inclusive, clipped to the signature). */
HIT_API hit_sig hit_sig_slice(hit_sig sig, hit_index first, hit_index last);
/** Part @p k of @p parts, of which the first ones have one element more. */
HIT_API hit_sig hit_sig_part(hit_sig sig, hit_index k, hit_index parts);
/** The position of element @p x; @p x must be in @p sig. */
HIT_API inline hit_index hit_sig_position(hit_sig sig, hit_index x)
{
    const uint64_t steps = (uint64_t)x - (uint64_t)sig.begin;

    return (hit_index)(sig.stride == 1 ? steps : steps / (uint64_t)sig.stride);
}

/** {x : coef * x + offset in sig}, exact for any stride; coef 0: all indices or none. */
HIT_API hit_sig hit_sig_preimage(hit_sig sig, hit_index coef, hit_index offset);
/** What is in @p a but not in @p b is a list of disjoint signatures: their number ... */
HIT_API hit_index hit_sig_minus_count(hit_sig a, hit_sig b);
/** ... and the k-th of them, 0 <= k < count: what lies before b, between its elements,
 * after it. */
HIT_API hit_sig hit_sig_minus(hit_sig a, hit_sig b, hit_index k);

/** Floor and ceiling of a / b for any sign of a; b > 0. */
HIT_API inline hit_index hit_index_floor_div(hit_index a, hit_index b)
{
    return a / b - (a % b < 0);
}
HIT_API inline hit_index hit_index_ceil_div(hit_index a, hit_index b)
{
    return a / b + (a % b > 0);
}
/** Greatest common divisor of |a| and |b|; gcd(0, b) = |b|. */
HIT_API hit_index hit_index_gcd(hit_index a, hit_index b);

HIT_C_END

#endif
