/* SPDX-License-Identifier: MIT
 * Signatures, the arithmetic under everything else: [Torres2013] section III.A. We differ
 * in two places: intersections are exact for any two strides (Chinese remainders), and
 * the coarse union takes |b - b'| into its gcd. The rare steps are done in 128 bits, so
 * nothing overflows on the way; what is common (a stride of 1 on one side, equal strides)
 * takes a short path in 64 bits, with strides of 1 without any division. */
#include "hit/data/sig.h"

#include "hit/data/wide.h"

extern inline bool hit_sig_is_empty(hit_sig sig);
extern inline bool hit_sig_equal(hit_sig a, hit_sig b);
extern inline bool hit_sig_has(hit_sig sig, hit_index x);
extern inline hit_index hit_index_floor_div(hit_index a, hit_index b);
extern inline hit_index hit_index_ceil_div(hit_index a, hit_index b);
extern inline hit_index hit_sig_count(hit_sig sig);
extern inline bool hit_sig_inside(hit_sig inner, hit_sig outer);
extern inline hit_sig hit_sig_intersect(hit_sig a, hit_sig b);
extern inline hit_index hit_sig_at(hit_sig sig, hit_index k);
extern inline hit_index hit_sig_position(hit_sig sig, hit_index x);

static hit_sig empty_sig(void)
{
    return (hit_sig){0, -1, 1};
}

/* to - from for from <= to, which need not fit a hit_index. */
static uint64_t distance(hit_index from, hit_index to)
{
    return (uint64_t)to - (uint64_t)from;
}

/* a modulo b in 0..b-1; b > 0. */
static hit_wide wide_mod(hit_wide a, hit_wide b)
{
    hit_wide rest = a % b;
    return rest < 0 ? rest + b : rest;
}

/* The inverse of a modulo m, gcd(a, m) = 1, m > 0: Euclid, keeping one coefficient. */
static hit_wide wide_inverse(hit_wide a, hit_wide m)
{
    hit_wide r = m;
    hit_wide next_r = wide_mod(a, m);
    hit_wide t = 0;
    hit_wide next_t = 1;

    while (next_r != 0) {
        hit_wide quotient = r / next_r;
        hit_wide rest = r - quotient * next_r;
        hit_wide coef = t - quotient * next_t;
        r = next_r;
        next_r = rest;
        t = next_t;
        next_t = coef;
    }
    return wide_mod(t, m);
}

/* The elements first, first + stride, .. <= last that fit a hit_index. */
static hit_sig narrow(hit_wide first, hit_wide last, hit_wide stride)
{
    if (last > INT64_MAX) last = INT64_MAX;
    if (first < INT64_MIN) first = INT64_MIN + wide_mod(first - INT64_MIN, stride);
    if (first > last) return empty_sig();
    return hit_sig_make((hit_index)first, (hit_index)last, (hit_index)stride);
}

/* {x : low <= x <= high, coef * x = rest (mod modulus)}; coef, modulus > 0. */
static hit_sig congruent(hit_wide coef, hit_wide rest, hit_wide modulus, hit_wide low,
                         hit_wide high)
{
    hit_wide divisor = hit_wide_gcd(coef, modulus);

    if (rest % divisor != 0) return empty_sig();
    modulus /= divisor;
    hit_wide x =
        wide_mod(rest / divisor, modulus) * wide_inverse(coef / divisor, modulus);
    return narrow(low + wide_mod(x - low, modulus), high, modulus);
}

hit_sig hit_sig_make(hit_index begin, hit_index end, hit_index stride)
{
    if (begin > end || stride < 1) return empty_sig();
    if (stride == 1) return (hit_sig){begin, end, 1};

    uint64_t beyond = distance(begin, end) % (uint64_t)stride;
    end = (hit_index)((uint64_t)end - beyond);
    return (hit_sig){begin, end, begin == end ? 1 : stride};
}

/* The elements of @p a from low to high, where a.begin <= low <= high <= a.end. */
static hit_sig clip(hit_sig a, hit_index low, hit_index high)
{
    const uint64_t stride = (uint64_t)a.stride;
    const uint64_t behind = distance(a.begin, low) % stride; /* its last element before */

    if (behind > 0) {
        if (stride - behind > distance(low, high)) return empty_sig();
        low += (hit_index)(stride - behind);
    }
    high -= (hit_index)(distance(a.begin, high) % stride);
    return hit_sig_make(low, high, a.stride);
}

hit_sig hit_sig_intersect_strided(hit_sig a, hit_sig b)
{
    hit_index low = a.begin > b.begin ? a.begin : b.begin;
    hit_index high = a.end < b.end ? a.end : b.end;

    if (low > high) return empty_sig();
    if (a.stride == 1) return clip(b, low, high);
    if (b.stride == 1) return clip(a, low, high);
    if (a.stride == b.stride) {
        const hit_index least = a.begin < b.begin ? a.begin : b.begin;

        if (distance(least, low) % (uint64_t)a.stride != 0) return empty_sig();
        return hit_sig_make(low, high, a.stride);
    }
    /* the elements a.begin + a.stride * k for which k solves a congruence */
    hit_wide first = ((hit_wide)low - a.begin + a.stride - 1) / a.stride;
    hit_wide last = ((hit_wide)high - a.begin) / a.stride;
    hit_sig k = congruent(a.stride, (hit_wide)b.begin - a.begin, b.stride, first, last);
    if (hit_sig_is_empty(k)) return k;
    return narrow(a.begin + (hit_wide)a.stride * k.begin,
                  a.begin + (hit_wide)a.stride * k.end, (hit_wide)a.stride * k.stride);
}

hit_sig hit_sig_cover(hit_sig a, hit_sig b)
{
    if (hit_sig_is_empty(a)) return b;
    if (hit_sig_is_empty(b)) return a;

    hit_index begin = a.begin < b.begin ? a.begin : b.begin;
    hit_index end = a.end > b.end ? a.end : b.end;
    if ((a.stride == 1 && a.begin != a.end) || (b.stride == 1 && b.begin != b.end)) {
        return (hit_sig){begin, end, 1};
    }
    /* the stride of a single element is no distance between elements */
    hit_wide stride =
        hit_wide_gcd(a.begin == a.end ? 0 : a.stride, b.begin == b.end ? 0 : b.stride);
    stride = hit_wide_gcd(stride, (hit_wide)a.begin - b.begin);
    if (stride > INT64_MAX) stride = 1; /* further apart than a stride can say */
    return hit_sig_make(begin, end, stride == 0 ? 1 : (hit_index)stride);
}

hit_sig hit_sig_shift(hit_sig sig, hit_index by)
{
    if (hit_sig_is_empty(sig)) return sig;
    return narrow((hit_wide)sig.begin + by, (hit_wide)sig.end + by, sig.stride);
}

hit_sig hit_sig_grow(hit_sig sig, hit_index width)
{
    if (hit_sig_is_empty(sig)) return sig;
    hit_wide margin = (hit_wide)width * sig.stride;
    return narrow(sig.begin - margin, sig.end + margin, sig.stride);
}

hit_sig hit_sig_slice(hit_sig sig, hit_index first, hit_index last)
{
    hit_index count = hit_sig_count(sig);

    if (first < 0) first = 0;
    if (last >= count) last = count - 1;
    if (first > last) return empty_sig();
    return hit_sig_make(hit_sig_at(sig, first), hit_sig_at(sig, last), sig.stride);
}

/* No product here is larger than the number of elements. */
hit_sig hit_sig_part(hit_sig sig, hit_index k, hit_index parts)
{
    const hit_index count = hit_sig_count(sig);
    const hit_index size = count / parts;
    const hit_index longer = count % parts;
    const hit_index first = k * size + (k < longer ? k : longer);

    return hit_sig_slice(sig, first, first + size - (k < longer ? 0 : 1));
}

hit_sig hit_sig_preimage(hit_sig sig, hit_index coef, hit_index offset)
{
    if (hit_sig_is_empty(sig)) return sig;
    if (coef == 0) {
        return hit_sig_has(sig, offset) ? (hit_sig){INT64_MIN, INT64_MAX, 1}
                                        : empty_sig();
    }
    hit_wide a = coef;
    hit_wide begin = (hit_wide)sig.begin - offset;
    hit_wide end = (hit_wide)sig.end - offset;
    if (a < 0) { /* -a * x in -(sig - offset) */
        hit_wide swap = -begin;
        a = -a;
        begin = -end;
        end = swap;
    }
    if (a == 1 && sig.stride == 1) return narrow(begin, end, 1);
    return congruent(a, begin, sig.stride, -hit_wide_floor_div(-begin, a),
                     hit_wide_floor_div(end, a));
}

/* How many elements of a lie from one element of the common part to the next. */
static hit_index common_step(hit_sig a, hit_sig common)
{
    return common.begin == common.end ? 1 : common.stride / a.stride;
}

/* Between the elements of the common part: either one piece per residue class or one per
 * gap, whichever is less. */
static hit_index pieces_between(hit_sig a, hit_sig common)
{
    hit_index classes = common_step(a, common) - 1;
    hit_index gaps = hit_sig_count(common) - 1;
    return classes < gaps ? classes : gaps;
}

hit_index hit_sig_minus_count(hit_sig a, hit_sig b)
{
    hit_sig common = hit_sig_intersect(a, b);

    if (hit_sig_is_empty(common)) return hit_sig_is_empty(a) ? 0 : 1;
    return (a.begin < common.begin) + pieces_between(a, common) + (common.end < a.end);
}

hit_sig hit_sig_minus(hit_sig a, hit_sig b, hit_index k)
{
    hit_sig common = hit_sig_intersect(a, b);
    if (hit_sig_is_empty(common)) return a;

    if (a.begin < common.begin && k-- == 0) {
        return hit_sig_make(a.begin, common.begin - a.stride, a.stride);
    }
    hit_index classes = common_step(a, common) - 1;
    hit_index between = pieces_between(a, common);
    if (k >= between) return hit_sig_make(common.end + a.stride, a.end, a.stride);

    if (between == classes) {
        hit_index first = common.begin + (k + 1) * a.stride;
        return hit_sig_make(first, common.end, common.stride);
    }
    hit_index left = hit_sig_at(common, k);
    return hit_sig_make(left + a.stride, left + common.stride - a.stride, a.stride);
}

hit_index hit_index_gcd(hit_index a, hit_index b)
{
    return (hit_index)hit_wide_gcd(a, b);
}
