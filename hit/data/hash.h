/* SPDX-License-Identifier: MIT
 * Internal: keys of what was planned, and the order of numbers and of dimensions. */
#ifndef HIT_DATA_HASH_H
#define HIT_DATA_HASH_H

#include "hit/base/types.h"
#include "hit/data/sig.h"

/* hash.c: keys of what was planned. FNV-1a, 64 bits. */

#define HIT_HASH_START UINT64_C(14695981039346656037)

/** Continue @p hash over @p size bytes. */
uint64_t hit_hash(uint64_t hash, const void *data, size_t size);

/** The same over a text and its zero byte, so that "ab", "c" is not "a", "bc". */
uint64_t hit_hash_text(uint64_t hash, const char *text);

/** Continue @p hash over a word; for what every launch does: a multiplication a word, not
 * a byte. */
static inline uint64_t hit_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/** By words, over all of a domain, or over all but where it begins: those of domains that
 * are equal (hit_domain_equal()) are equal. */
uint64_t hit_hash_place(uint64_t hash, const hit_domain *domain);
uint64_t hit_hash_extents(uint64_t hash, const hit_domain *domain);

/* The order of numbers, and of dimensions. */

static inline hit_index hit_smaller(hit_index a, hit_index b)
{
    return a < b ? a : b;
}

static inline hit_index hit_larger(hit_index a, hit_index b)
{
    return a > b ? a : b;
}

/** For qsort() of ints. */
int hit_order_ints(const void *a, const void *b);

/** The dimension of @p box with the most elements, the first one of several. */
static inline int hit_order_longest(const hit_domain *box)
{
    int longest = 0;

    for (int d = 1; d < box->dims; d++) {
        if (hit_sig_count(box->sig[d]) > hit_sig_count(box->sig[longest])) longest = d;
    }
    return longest;
}

static inline void hit_order_swap(int *a, int *b)
{
    const int kept = *a;

    *a = *b;
    *b = kept;
}

/** The next permutation in lexicographic order; false after the last. */
static inline bool hit_order_next(int order[], int dims)
{
    int k = dims - 2;
    int larger = dims - 1;

    while (k >= 0 && order[k] > order[k + 1]) {
        k--;
    }
    if (k < 0) return false;
    while (order[larger] < order[k]) {
        larger--;
    }
    hit_order_swap(&order[k], &order[larger]);
    for (int low = k + 1, high = dims - 1; low < high; low++, high--) {
        hit_order_swap(&order[low], &order[high]);
    }
    return true;
}

#endif
