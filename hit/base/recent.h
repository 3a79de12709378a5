/* SPDX-License-Identifier: MIT
 * Internal: which of a few things was used least recently. They lie in an array of the
 * caller, and each has a hit_recent in another one, so that a search reads little. */
#ifndef HIT_BASE_RECENT_H
#define HIT_BASE_RECENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hit_recent {
    uint64_t key;  /**< 0: there is nothing */
    uint64_t used; /**< when, as a count of the caller says */
} hit_recent;

/** The number of what has this key, which is not 0; -1: there is none. */
static inline int hit_recent_find(const hit_recent of[], int count, uint64_t key)
{
    for (int k = 0; k < count; k++) {
        if (of[k].key == key) return k;
    }
    return -1;
}

/** The number of what was used least recently; the first one of several. */
static inline int hit_recent_oldest(const hit_recent of[], int count)
{
    int oldest = 0;

    for (int k = 1; k < count && of[oldest].key != 0; k++) {
        if (of[k].key == 0 || of[k].used < of[oldest].used) oldest = k;
    }
    return oldest;
}

/** The number of what has this key and is used @p now. *fresh: it had none, and takes the
 * place of what was used least recently. */
static inline int hit_recent_meet(hit_recent of[], int count, uint64_t key, uint64_t now,
                                  bool *fresh)
{
    int k = hit_recent_find(of, count, key);

    *fresh = k < 0;
    if (k < 0) k = hit_recent_oldest(of, count);
    of[k].key = key;
    of[k].used = now;
    return k;
}

#endif
