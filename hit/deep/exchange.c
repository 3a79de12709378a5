/* SPDX-License-Identifier: MIT
 * What a block over processes needs around parts is sent when it begins, and waited for
 * when its first launches run. */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/deep/deep_impl.h"

static hit_sides sides_of(const hit_deep_plan *plan, const hit_deep_part *part,
                          const hit_deep_tile *tile)
{
    const bool there = tile != NULL && tile->storage != NULL;
    const hit_view *view = there ? &tile->storage->view[0] : NULL;

    return (hit_sides){.user = view,
                       .owner = view,
                       .buffer = (char *)plan->buffer + part->offset_bytes,
                       .name = there ? tile->storage->name : NULL};
}

/* The elements of @p t: where they come from, or where they go. */
static hit_status touch_transfer(const hit_transfer *t, hit_storage *storage,
                                 hit_intent intent)
{
    const hit_domain box =
        intent == HIT_READ ? hit_remap_apply(&t->remap, &t->domain) : t->domain;

    return hit_storage_touch(storage, 0, &box, intent);
}

static hit_status touch_message(const hit_message_plan *plan, const hit_message *message,
                                hit_storage *storage, hit_intent intent)
{
    for (int k = 0; k < message->count; k++) {
        HIT_TRY(touch_transfer(&plan->transfer[message->first + k], storage, intent));
    }
    return HIT_OK;
}

/* What is sent is fetched from the device, and what comes makes its copies old. Within a
 * process elements are copied only where all devices work in place. */
static hit_status touch(const hit_exchange *exchange, hit_storage *storage)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    if (!hit_storage_is_away(storage) && !hit_storage_has_lost(storage)) return HIT_OK;
    for (int m = 0; m < plan->sends; m++) {
        HIT_TRY(touch_message(plan, &plan->send[m], storage, HIT_READ));
    }
    for (int m = 0; m < plan->receives; m++) {
        HIT_TRY(touch_message(plan, &plan->receive[m], storage, HIT_WRITE));
    }
    return HIT_OK;
}

/* The program does not touch its memory before the elements have come. */
static hit_status log_exchange(hit_deep *deep, hit_storage *storage)
{
    hit_stations *stations = deep->context->stations;

    return hit_storage_log(storage, 0, &storage->view[0].domain, true,
                           hit_source_of_recorded(stations), stations->recorded.asked);
}

/* The program may have looked since the plan was made. */
static void take_buffers(hit_deep *deep, const hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_tile *tile = hit_deep_find(deep, plan->field[f].number);

        if (tile == NULL || tile->storage == NULL || tile->storage->adopted == NULL) {
            continue;
        }
        hit_stations_keep_failure(deep->context->stations,
                                  hit_storage_take_buffer(tile->storage, 0));
    }
}

void hit_deep_set_sent(hit_deep *deep, hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        hit_deep_tile *tile = hit_deep_find(deep, part->number);
        const hit_margin depth = hit_deep_depth(&part->need);

        part->sent = false;
        if (tile == NULL) continue;
        if (tile->images != plan->periodic) {
            tile->images = plan->periodic;
            hit_deep_state_forget(&tile->state);
        }
        hit_deep_state_expect(&tile->state, &part->need.changed);
        if (!part->need.read || hit_deep_state_serves(&tile->state, &part->need)) {
            continue;
        }
        hit_deep_state_receive(&tile->state, &part->need);
        part->sent = !hit_margin_is_none(&depth);
    }
}

hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan)
{
    hit_launcher *launcher = deep->context->launcher;
    bool logged = true;
    hit_first first;

    /* what ran meanwhile heard of a neighbour that has left */
    if (!deep->inside) return hit_stations_tell_failure(deep->context->stations);
    take_buffers(deep, plan);
    hit_first_begin(&first);
    deep->context->stations->recorded.asked++;
    deep->under_way = plan;
    deep->begun_at = deep->launches;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        const hit_deep_tile *tile = hit_deep_find(deep, part->number);
        hit_sides sides;

        if (!part->sent) continue;
        sides = sides_of(plan, part, tile);
        part->under_way = true;
        if (sides.owner != NULL) {
            /* a failure keeps no message from being sent, which tells of it: the peers
             * wait for it */
            const hit_status status = touch(part->exchange, tile->storage);

            /* what fills rims may be there, seen before: it comes anew */
            if ((plan->periodic & ~tile->periodic) != 0) tile->storage->version++;
            sides.fails = status != HIT_OK;
            hit_stations_keep_failure(deep->context->stations, status);
            if (log_exchange(deep, tile->storage) != HIT_OK) logged = false;
        }
        hit_first_keep(&first, hit_exchange_begin(part->exchange, &sides, NULL));
        hit_exchange_count(part->exchange, &launcher->sent);
    }
    if (first.status != HIT_OK) return hit_first_tell(&first);
    /* without memory to log that elements are to come they are waited for at once */
    return logged ? HIT_OK : hit_deep_arrive(deep);
}

static hit_status arrive(hit_deep *deep)
{
    hit_deep_plan *plan = deep->under_way;
    hit_trace *trace = deep->context->trace;
    const double start_s = hit_trace_start(trace);
    bool waits = false;
    hit_first first;

    if (plan == NULL) return HIT_OK;
    hit_first_begin(&first);
    deep->under_way = NULL;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        const hit_deep_tile *tile = hit_deep_find(deep, part->number);
        hit_sides sides;
        hit_status status;

        if (!part->under_way) continue;
        part->under_way = false;
        waits = true;
        sides = sides_of(plan, part, tile);
        status = hit_exchange_end(part->exchange, &sides);
        hit_first_keep(&first, status);
        deep->told = deep->told || hit_exchange_was_left(part->exchange);
        /* all of it, so that what reads around it fails, too */
        if (status == HIT_OK || sides.user == NULL) continue;
        hit_storage_lose(tile->storage, 0, &tile->storage->owned[0], status);
    }
    if (waits) hit_trace_add(trace, HIT_TRACE_WAIT, "rims of a block", start_s, 0);
    return hit_first_tell(&first);
}

hit_status hit_deep_arrive(hit_deep *deep)
{
    const hit_status status = arrive(deep);

    if (!deep->told) return status;
    deep->now = NULL;
    hit_deep_watch(deep, false);
    return hit_deep_compare(deep);
}

/* All are left before any of them is waited for: a neighbour may wait for another one
 * first. */
void hit_deep_end_messages(hit_deep *deep)
{
    hit_stations *stations = deep->context->stations;
    hit_deep_plan *plan = deep->open;
    hit_status status;

    if (plan == NULL) return;
    status = arrive(deep);
    /* what a neighbour that has left did not send is no failure beside the comparison's
     */
    if (!deep->told) hit_stations_keep_failure(stations, status);
    deep->open = NULL;
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_part *part = &plan->field[f];
        char *const buffer = (char *)plan->buffer + part->offset_bytes;

        if (part->exchange == NULL) continue;
        hit_stations_keep_failure(stations,
                                  hit_exchange_leave_begin(part->exchange, buffer));
    }
    for (int f = 0; f < plan->fields; f++) {
        if (plan->field[f].exchange == NULL) continue;
        hit_stations_keep_failure(stations,
                                  hit_exchange_leave_end(plan->field[f].exchange));
    }
}
