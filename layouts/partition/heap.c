/* SPDX-License-Identifier: MIT
 * The greedy finish of partitions: unit after unit goes to the process that would end
 * first. */
#include "layouts/partition/heap.h"

void hit_heap_sink(int count, int item[], int at, hit_heap_order before,
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

void hit_heap_make(int count, int item[], hit_heap_order before, const void *context)
{
    for (int at = count / 2 - 1; at >= 0; at--) {
        hit_heap_sink(count, item, at, before, context);
    }
}
