/* SPDX-License-Identifier: MIT
 * Internal: a binary heap of numbers, of processes, tasks or events: the one that comes
 * first is item[0]. In a header, so that the order is no call where it is a constant. */
#ifndef HIT_BASE_HEAP_H
#define HIT_BASE_HEAP_H

#include <stdbool.h>

/** Does @p i come before @p j? A strict order, so that ties are decided. */
typedef bool (*hit_heap_order)(const void *context, int i, int j);

/** Let the item at @p at sink to its place; those below it are in theirs. */
static inline void hit_heap_sink(int count, int item[], int at, hit_heap_order before,
                                 const void *context)
{
    const int moving = item[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= count) break;
        if (child + 1 < count && before(context, item[child + 1], item[child])) child++;
        if (!before(context, item[child], moving)) break;
        item[at] = item[child];
        at = child;
    }
    item[at] = moving;
}

/** Put all items in their places. */
static inline void hit_heap_make(int count, int item[], hit_heap_order before,
                                 const void *context)
{
    for (int at = count / 2 - 1; at >= 0; at--) {
        hit_heap_sink(count, item, at, before, context);
    }
}

/** Let the item at @p at rise to its place; those above it are in theirs. */
static inline void hit_heap_rise(int item[], int at, hit_heap_order before,
                                 const void *context)
{
    const int moving = item[at];

    while (at > 0 && before(context, moving, item[(at - 1) / 2])) {
        item[at] = item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    item[at] = moving;
}

#endif
