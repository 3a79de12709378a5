/* SPDX-License-Identifier: MIT
 * What is known of launches and tiles that may be in chains over processes. */
#include "hit/deep/deep.h"

#include "hit/base/memory.h"
#include "hit/deep/deep_impl.h"

#include <stdlib.h>
#include <string.h>

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

/* The hash covers all that the uses are. */
static bool is_equal(const hit_deep_form *a, const hit_deep_form *b)
{
    return a->exact == b->exact && a->hash == b->hash && a->plan_key == b->plan_key &&
           a->home == b->home && a->layout == b->layout && a->cramped == b->cramped &&
           a->streams == b->streams && a->stays == b->stays &&
           !(a->launch_s < b->launch_s || a->launch_s > b->launch_s) &&
           memcmp(a->period, b->period, sizeof(a->period)) == 0;
}

/* The one of the launch a period before, if they are equal: then the history of a
 * program that repeats a few launches takes little memory. */
hit_deep_form *hit_deep_keep(hit_deep *deep)
{
    unsigned char *place = &deep->history[deep->recorded % HIT_DEEP_HISTORY];
    const uint64_t period = (uint64_t)deep->period;
    int kept = deep->next;

    if (period > 0 && deep->recorded >= period) {
        const hit_deep_form *before = hit_deep_at(deep, deep->recorded - period);

        if (is_equal(before, hit_deep_next_form(deep))) kept = (int)(before - deep->form);
    }
    deep->held[kept]++;
    if (deep->recorded >= HIT_DEEP_HISTORY) deep->held[*place]--;
    *place = (unsigned char)kept;
    deep->recorded++;
    deep->next = 0;
    while (deep->held[deep->next] > 0) {
        deep->next++;
    }
    return &deep->form[kept];
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

    if (fresh || found->storage != storage) {
        *found = (hit_deep_tile){.storage = storage, .looks = storage->looks};
    }
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
