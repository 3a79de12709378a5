/* SPDX-License-Identifier: MIT
 * What a block over processes needs around parts is sent when it begins, and waited for
 * when its first launches run. */
#include "hit/run/deep_exchange.h"

#include "hit/tile/coherence.h"

#include <stdio.h>

static hit_sides sides_of(const hit_deep_plan *plan, const hit_deep_part *part,
                          const hit_deep_tile *tile)
{
    const bool there = tile != NULL && tile->storage != NULL;
    const hit_view *view = there ? &tile->storage->view[0] : NULL;

    return (hit_sides){.user = view,
                       .owner = view,
                       .buffer = (char *)plan->buffer + part->offset_bytes,
                       .head = part->head};
}

static hit_status touch_message(const hit_message_plan *plan, const hit_message *message,
                                hit_storage *storage, hit_intent intent)
{
    for (int k = 0; k < message->count; k++) {
        HIT_TRY(hit_storage_touch(storage, 0, &plan->transfer[message->first + k].domain,
                                  intent));
    }
    return HIT_OK;
}

/* What is sent is fetched from the device, and what comes makes its copies old. */
static hit_status touch(const hit_exchange *exchange, hit_storage *storage)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    if (!hit_storage_is_away(storage)) return HIT_OK;
    for (int m = 0; m < plan->sends; m++) {
        HIT_TRY(touch_message(plan, &plan->send[m], storage, HIT_READ));
    }
    for (int m = 0; m < plan->receives; m++) {
        HIT_TRY(touch_message(plan, &plan->receive[m], storage, HIT_WRITE));
    }
    return HIT_OK;
}

/* Its memory is not to be touched before the elements have come. */
static hit_status log_exchange(hit_deep *deep, hit_storage *storage)
{
    hit_stations *stations = deep->chains->stations;

    return hit_storage_log(storage, 0, &storage->view[0].domain, true,
                           hit_source_of_recorded(stations), stations->recorded.asked);
}

/* Who cannot log that elements are to come takes them at once. */
static hit_status begin_part(hit_deep *deep, hit_deep_plan *plan, hit_deep_part *part,
                             bool *logged)
{
    hit_deep_tile *tile = hit_deep_find(deep, part->number);
    hit_sides sides;

    if (tile == NULL) return HIT_OK; /* on all processes alike */
    part->head[0] = part->number;
    part->head[1] = tile->looks - tile->looks_before;
    hit_deep_state_receive(&tile->state, &part->need);
    if (part->exchange == NULL) return HIT_OK;
    sides = sides_of(plan, part, tile);
    part->under_way = true;
    if (tile->storage != NULL) {
        /* a failure keeps no message from being sent: the peers wait for it */
        hit_stations_keep_failure(deep->chains->stations,
                                  touch(part->exchange, tile->storage));
        if (log_exchange(deep, tile->storage) != HIT_OK) *logged = false;
    }
    return hit_exchange_begin(part->exchange, &sides, 0, 0);
}

hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan)
{
    bool logged = true;
    hit_status first = HIT_OK;

    deep->chains->stations->recorded.asked++;
    deep->under_way = plan;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        hit_deep_tile *tile = hit_deep_find(deep, part->number);
        hit_status status;

        if (tile != NULL) hit_deep_state_expect(&tile->state, &part->need.changed);
        if (!part->need.read) continue;
        if (tile != NULL && hit_deep_state_serves(&tile->state, &part->need)) continue;
        status = begin_part(deep, plan, part, &logged);
        if (first == HIT_OK) first = status;
    }
    if (first == HIT_OK && !logged) first = hit_deep_arrive(deep);
    return first;
}

static hit_status end_part(hit_deep *deep, hit_deep_plan *plan, hit_deep_part *part)
{
    const hit_deep_tile *tile = hit_deep_find(deep, part->number);
    const hit_sides sides = sides_of(plan, part, tile);
    hit_launcher *launcher = deep->chains->launcher;
    hit_status status;
    char text[400];

    part->under_way = false;
    status = hit_exchange_end(part->exchange, &sides);
    hit_exchange_count(part->exchange, &launcher->messages_sent,
                       &launcher->message_bytes_sent);
    if (status != HIT_E_COMM) return status;
    (void)snprintf(text, sizeof(text), "%s", hit_status_text());
    return HIT_FAIL(status,
                    "tile %s: %s; here the program wrote it %llu times since chains use "
                    "it: expected all processes to write it at the same places",
                    tile != NULL && tile->storage != NULL ? tile->storage->name : "",
                    text, (unsigned long long)part->head[1]);
}

hit_status hit_deep_arrive(hit_deep *deep)
{
    hit_deep_plan *plan = deep->under_way;
    hit_status first = HIT_OK;

    if (plan == NULL) return HIT_OK;
    deep->under_way = NULL;
    for (int f = 0; f < plan->fields; f++) {
        hit_status status;

        if (!plan->field[f].under_way) continue;
        status = end_part(deep, plan, &plan->field[f]);
        if (first == HIT_OK) first = status;
    }
    return first;
}
