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

hit_deep_form *hit_deep_at(hit_deep *deep, uint64_t number)
{
    return &deep->form[deep->history[number % HIT_DEEP_HISTORY]];
}

hit_deep_form *hit_deep_next_form(hit_deep *deep)
{
    return &deep->form[deep->next];
}

hit_deep_form *hit_deep_before(hit_deep *deep, bool home)
{
    const uint64_t period = (uint64_t)deep->period;
    hit_deep_form *before;

    if (deep->recorded < period || period == 0) return NULL;
    before = hit_deep_at(deep, deep->recorded - period);
    return before->home == home ? before : NULL;
}

void hit_deep_keep(hit_deep *deep, const hit_deep_form *form)
{
    unsigned char *place = &deep->history[deep->recorded % HIT_DEEP_HISTORY];
    const int kept = (int)(form - deep->form);

    deep->held[kept]++;
    if (deep->recorded >= HIT_DEEP_HISTORY) deep->held[*place]--;
    *place = (unsigned char)kept;
    deep->recorded++;
    if (kept == deep->next) deep->next = 0;
    while (deep->held[deep->next] > 0) {
        deep->next++;
    }
}

hit_deep_tile *hit_deep_find(hit_deep *deep, uint64_t number)
{
    const int k = hit_recent_find(deep->recent_tile, HIT_DEEP_TILES, number);

    return k >= 0 ? &deep->tile[k] : NULL;
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
