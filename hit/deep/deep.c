/* SPDX-License-Identifier: MIT
 * What is known of launches and tiles that may be in chains over processes. */
#include "hit/deep/deep.h"

#include "hit/base/memory.h"
#include "hit/deep/deep_impl.h"

#include <stdlib.h>

hit_status hit_deep_create(hit_context *context, hit_deep **deep)
{
    hit_deep *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->context = context;
    *deep = made;
    return HIT_OK;
}

hit_deep_tile *hit_deep_meet(hit_deep *deep, hit_storage *storage)
{
    bool fresh;
    hit_deep_tile *found = &deep->tile[hit_recent_meet(
        deep->recent_tile, HIT_DEEP_TILES, storage->number, deep->launches, &fresh)];

    if (fresh) *found = (hit_deep_tile){.storage = storage, .looks = storage->looks};
    return found;
}

void hit_deep_forget(hit_deep *deep, const hit_storage *storage)
{
    for (int k = 0; k < HIT_DEEP_TILES; k++) {
        if (deep->tile[k].storage == storage) deep->tile[k].storage = NULL;
    }
}

void hit_deep_destroy(hit_deep **deep_pointer)
{
    hit_deep *deep = *deep_pointer;

    if (deep == NULL) return;
    if (deep->inside) hit_deep_watch(deep, false);
    for (int k = 0; k < HIT_DEEP_PLANS; k++) {
        hit_deep_plan_destroy(&deep->plan[k]);
    }
    free(deep);
    *deep_pointer = NULL;
}
