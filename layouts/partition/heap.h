/* SPDX-License-Identifier: MIT
 * A binary heap of processes: the one that comes first is item[0]. */
#ifndef LAYOUTS_PARTITION_HEAP_H
#define LAYOUTS_PARTITION_HEAP_H

#include <stdbool.h>

/** Does process @p i come before process @p j? A strict order, so that ties are decided.
 */
typedef bool (*hit_heap_order)(const void *context, int i, int j);

/** Put all items in their places. */
void hit_heap_make(int count, int item[], hit_heap_order before, const void *context);
/** Let the item at @p at sink to its place; all others are in theirs. */
void hit_heap_sink(int count, int item[], int at, hit_heap_order before,
                   const void *context);

#endif
