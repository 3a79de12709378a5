/* SPDX-License-Identifier: MIT
 * What a block over processes needs around parts is sent when it begins, and waited for
 * when its first launches run. */
#include "hit/run/deep_exchange.h"

#include "hit/base/context.h"
#include "hit/tile/coherence.h"

static hit_sides sides_of(const hit_deep_plan *plan, const hit_deep_part *part,
                          const hit_deep_tile *tile)
{
    const bool there = tile != NULL && tile->storage != NULL;
    const hit_view *view = there ? &tile->storage->view[0] : NULL;

    return (hit_sides){
        .user = view, .owner = view, .buffer = (char *)plan->buffer + part->offset_bytes};
}

/* The program does not touch its memory before the elements have come. */
static hit_status log_exchange(hit_deep *deep, hit_storage *storage)
{
    hit_stations *stations = deep->context->stations;

    return hit_storage_log(storage, 0, &storage->view[0].domain, true,
                           hit_source_of_recorded(stations), stations->recorded.asked);
}

hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan)
{
    hit_launcher *launcher = deep->context->launcher;
    bool logged = true;
    hit_status first = HIT_OK;

    deep->context->stations->recorded.asked++;
    deep->under_way = plan;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        const hit_deep_tile *tile = hit_deep_find(deep, part->number);
        hit_sides sides;
        hit_status status;

        if (!part->sent) continue;
        sides = sides_of(plan, part, tile);
        part->under_way = true;
        if (sides.owner != NULL && log_exchange(deep, tile->storage) != HIT_OK) {
            logged = false;
        }
        status = hit_exchange_begin(part->exchange, &sides, 0, 0);
        hit_exchange_count(part->exchange, &launcher->messages_sent,
                           &launcher->message_bytes_sent);
        if (first == HIT_OK) first = status;
    }
    /* without memory to log that elements are to come they are waited for at once */
    if (first == HIT_OK && !logged) first = hit_deep_arrive(deep);
    return first;
}

hit_status hit_deep_arrive(hit_deep *deep)
{
    hit_deep_plan *plan = deep->under_way;
    hit_status first = HIT_OK;

    if (plan == NULL) return HIT_OK;
    deep->under_way = NULL;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        hit_sides sides;
        hit_status status;

        if (!part->under_way) continue;
        part->under_way = false;
        sides = sides_of(plan, part, hit_deep_find(deep, part->number));
        status = hit_exchange_end(part->exchange, &sides);
        if (first == HIT_OK) first = status;
    }
    return first;
}
