/* SPDX-License-Identifier: MIT
 * What is known of launches and tiles that may be in chains over processes. */
#include "hit/deep/deep.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/deep/deep_impl.h"

#include <stdlib.h>
#include <string.h>

size_t hit_deep_form_bytes(int uses)
{
    return hit_memory_padded(hit_chain_launch_bytes(uses) +
                             (size_t)uses * (sizeof(hit_deep_use) + sizeof(uint64_t)));
}

hit_status hit_deep_form_reserve(hit_deep_form *form, int uses)
{
    const size_t bytes = hit_deep_form_bytes(uses);
    char *at;

    form->launch = NULL; /* nor what belongs to it, without memory */
    form->use = NULL;
    form->number = NULL;
    if (bytes > form->memory_bytes) {
        hit_memory_release(&form->memory);
        form->memory_bytes = 0;
        HIT_TRY(hit_memory_take(bytes, "a launch of a chain", &form->memory));
        form->memory_bytes = bytes;
    }
    at = form->memory;
    form->launch = (hit_chain_launch *)(void *)at;
    at += hit_chain_launch_bytes(uses);
    form->use = (hit_deep_use *)(void *)at;
    form->number = (uint64_t *)(void *)(form->use + uses);
    return HIT_OK;
}

hit_status hit_deep_form_copy(hit_deep_form *to, const hit_deep_form *from)
{
    const int uses = from->launch->uses;
    const hit_deep_form had = *to;

    *to = *from;
    to->memory = had.memory;
    to->memory_bytes = had.memory_bytes;
    HIT_TRY(hit_deep_form_reserve(to, uses));
    memcpy(to->launch, from->launch, hit_chain_launch_bytes(uses));
    memcpy(to->use, from->use, (size_t)uses * sizeof(*to->use));
    memcpy(to->number, from->number, (size_t)uses * sizeof(*to->number));
    return HIT_OK;
}

hit_status hit_deep_create(hit_context *context, hit_deep **deep)
{
    hit_deep *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = hit_deep_form_reserve(&made->coming, HIT_MAX_ARGS);
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    memset(made->coming.memory, 0, made->coming.memory_bytes);
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
    for (int k = 0; k < HIT_DEEP_HISTORY; k++) {
        hit_memory_release(&deep->form[k].memory);
    }
    hit_memory_release(&deep->coming.memory);
    free(deep->planning);
    free(deep->sum);
    free(deep);
    *deep_pointer = NULL;
}
