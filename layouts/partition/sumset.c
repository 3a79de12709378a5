/* SPDX-License-Identifier: MIT
 * Sums of sets of integers. Few spans: every span of one shifts and widens the other, and
 * the results are united two by two, so that what has grown together is handled as one.
 * Many spans, as of ragged tables: bits, shifted word by word. */
#include "hit/base/memory.h"
#include "layouts/partition/partition_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    BITS = 64,
    MOST_WORDS = 1 << 22, /* of a set of bits: 32 MiB */
    SPAN_WORDS = 4        /* what one pair of spans costs, in words of bits */
};

/** Append @p a, each span shifted and widened by @p by. */
static hit_status shift(const hit_spans *a, hit_span by, hit_index most, hit_spans *sums)
{
    for (size_t k = 0; k < a->count; k++) {
        hit_span span = a->span[k];

        if (span.first > most - by.first) break;
        span.last = span.last > most - by.last ? most : span.last + by.last;
        HIT_TRY(hit_spans_append(sums, span.first + by.first, span.last));
    }
    return HIT_OK;
}

/** Sums with the @p count spans of @p b. */
static hit_status sum_spans(const hit_spans *a, const hit_span b[], size_t count,
                            hit_index most, hit_spans *sums)
{
    hit_spans half[2] = {{0}, {0}};
    hit_status st;

    if (count == 1) return shift(a, b[0], most, sums); /* below this, never 0 */
    HIT_TRY_GOTO(st, sum_spans(a, b, count / 2, most, &half[0]), clear_halves);
    HIT_TRY_GOTO(st, sum_spans(a, b + count / 2, count - count / 2, most, &half[1]),
                 clear_halves);
    st = hit_spans_unite(&half[0], &half[1], sums);

clear_halves:
    hit_spans_clear(&half[0]);
    hit_spans_clear(&half[1]);
    return st;
}

/* ---- sets of bits ---- */

/** into |= from << by; with into == from, too. */
static void add_shifted(uint64_t into[], const uint64_t from[], size_t words,
                        hit_index by)
{
    size_t skip = (size_t)(by / BITS);
    int bits = (int)(by % BITS);

    if (skip >= words) return;
    for (size_t w = words - 1; w > skip;
         w--) { /* from the top, because of into == from */
        uint64_t low = bits == 0 ? 0 : from[w - skip - 1] >> (BITS - bits);

        into[w] |= from[w - skip] << bits | low;
    }
    into[skip] |= from[0] << bits;
}

static void set_bits(const hit_spans *spans, hit_index most, uint64_t bits[])
{
    for (size_t k = 0; k < spans->count; k++) {
        hit_index last = spans->span[k].last < most ? spans->span[k].last : most;

        for (hit_index x = spans->span[k].first; x <= last; x++) {
            bits[x / BITS] |= UINT64_C(1) << (x % BITS);
        }
    }
}

static hit_status read_bits(const uint64_t bits[], hit_index most, hit_spans *sums)
{
    for (hit_index x = 0; x <= most;) {
        uint64_t rest = bits[x / BITS] >> (x % BITS);

        if (rest == 0) {
            x += BITS - x % BITS;
            continue;
        }
        x += __builtin_ctzll(rest);
        if (x <= most) HIT_TRY(hit_spans_append(sums, x, x));
        x++;
    }
    return HIT_OK;
}

static int compare_lengths(const void *a, const void *b)
{
    const hit_span *left = a;
    const hit_span *right = b;
    hit_index left_length = left->last - left->first;
    hit_index right_length = right->last - right->first;

    return (left_length > right_length) - (left_length < right_length);
}

/** Sums in @p words bits each of @p wide, which holds a and is overwritten, and @p sums.
 * @shape b: in ascending order of lengths */
static void sum_bits(const hit_span b[], size_t count, size_t words, uint64_t wide[],
                     uint64_t sums[])
{
    hit_index length = 0; /* wide has the sums of a and 0..length */

    for (size_t k = 0; k < count; k++) {
        while (length < b[k].last - b[k].first) {
            hit_index more = b[k].last - b[k].first - length;

            if (more > length + 1) more = length + 1;
            add_shifted(wide, wide, words, more);
            length += more;
        }
        add_shifted(sums, wide, words, b[k].first);
    }
}

static hit_status sum_as_bits(const hit_spans *a, const hit_spans *b, hit_index most,
                              hit_spans *sums)
{
    size_t words = (size_t)(most / BITS) + 1;
    uint64_t *bits;
    hit_span *sorted;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(2 * words, sizeof *bits, &bits));
    HIT_TRY_GOTO(st, hit_memory_zeroed(b->count, sizeof *sorted, &sorted), free_bits);
    memcpy(sorted, b->span, b->count * sizeof *sorted);
    qsort(sorted, b->count, sizeof *sorted, compare_lengths);
    set_bits(a, most, bits);
    sum_bits(sorted, b->count, words, bits, bits + words);
    st = read_bits(bits + words, most, sums);
    free(sorted);
free_bits:
    free(bits);
    return st;
}

hit_status hit_sumset(const hit_spans *a, const hit_spans *b, hit_index most,
                      hit_spans *sums)
{
    const hit_spans *many = a->count > b->count ? a : b;
    const hit_spans *few = a->count > b->count ? b : a;

    if (few->count == 0) return HIT_OK;
    if (few->count == 1) return shift(many, few->span[0], most, sums);
    if (most / BITS < MOST_WORDS && (size_t)(most / BITS) < SPAN_WORDS * many->count) {
        return sum_as_bits(many, few, most, sums);
    }
    return sum_spans(many, few->span, few->count, most, sums);
}
