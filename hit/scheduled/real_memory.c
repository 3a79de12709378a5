/* SPDX-License-Identifier: MIT
 * What a datum gives up is kept for the next one of its size: some devices finish all
 * their work before they free memory. It counts against the limit, and goes when that, or
 * the device, has no room left. */
#include "hit/base/alloc.h"
#include "hit/scheduled/real_impl.h"

#include <stdlib.h>

static hit_device *device_of(const hit_scheduled *s, int node)
{
    return s->context->device[hit_real_of_node(s, node)];
}

static void give_back(hit_scheduled *s, int node)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];

    for (size_t k = 0; k < list->count; k++) {
        hit_device_give(device_of(s, node), list->kept[k].memory, list->kept[k].bytes);
    }
    free(list->kept);
    *list = (hit_kept_list){.kept = NULL};
}

void hit_real_free_memory(hit_scheduled *s)
{
    for (int n = 1; n < s->nodes; n++) {
        give_back(s, n);
    }
}

hit_status hit_real_take(hit_scheduled *s, int datum, int node, void **memory)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];
    const size_t bytes = (size_t)s->graph.datum[datum].bytes;
    hit_status status;

    for (size_t k = list->count; k-- > 0;) {
        if (list->kept[k].bytes != bytes) continue;
        *memory = list->kept[k].memory;
        list->kept[k] = list->kept[--list->count];
        return HIT_OK;
    }
    status = hit_device_take(device_of(s, node), bytes, memory);
    if ((status != HIT_E_LIMIT && status != HIT_E_NOMEM) || list->count == 0) {
        return status;
    }
    give_back(s, node);
    return hit_device_take(device_of(s, node), bytes, memory);
}

void hit_real_release(hit_scheduled *s, int datum, int node, void *memory)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];
    const size_t bytes = (size_t)s->graph.datum[datum].bytes;

    if (hit_memory_grow(list->count + 1, &list->room, sizeof(hit_kept),
                        "memory of a device", &list->kept) != HIT_OK) {
        hit_device_give(device_of(s, node), memory, bytes);
        return;
    }
    list->kept[list->count++] = (hit_kept){memory, bytes};
}
