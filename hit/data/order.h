/* SPDX-License-Identifier: MIT
 * Internal: the order of numbers, and of dimensions. */
#ifndef HIT_DATA_ORDER_H
#define HIT_DATA_ORDER_H

#include "hit/base/types.h"

#include <stdbool.h>

static inline hit_index hit_smaller(hit_index a, hit_index b)
{
    return a < b ? a : b;
}

static inline hit_index hit_larger(hit_index a, hit_index b)
{
    return a > b ? a : b;
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
