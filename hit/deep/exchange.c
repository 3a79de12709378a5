/* SPDX-License-Identifier: MIT
 * What a block over processes needs around parts is sent when it begins, and waited for
 * when its first launches run. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/base/trace.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/topo/layout_impl.h"

/* ---- what is needed ---- */

void hit_deep_want(const hit_deep_plan *plan, const hit_layout *layout,
                   const hit_index period[], hit_deep_around *wanted)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_part *part = &plan->field[f];
        hit_around_field *field = &wanted->field[f];
        hit_margin *depth = &wanted->depth[f];

        *depth = hit_deep_depth(&part->need);
        *field = (hit_around_field){.size_bytes = part->size_bytes};
        if (!part->need.read || hit_margin_is_none(depth)) continue;
        field->cover = &part->need.cover;
        field->low = depth->low;
        field->high = depth->high;
    }
    wanted->around = (hit_around){.layout = layout,
                                  .period = period,
                                  .fields = plan->fields,
                                  .field = wanted->field};
}

static uint64_t key_of(const hit_around *around)
{
    const hit_domain whole = hit_layout_domain(around->layout);
    uint64_t key = hit_hash_word(HIT_HASH_START, hit_layout_key(around->layout));

    for (int c = 0; c < whole.dims; c++) {
        key = hit_hash_word(key, (uint64_t)around->period[c]);
    }
    for (int f = 0; f < around->fields; f++) {
        const hit_around_field *field = &around->field[f];

        if (field->low == NULL) continue;
        key = hit_hash_place(hit_hash_word(key, field->size_bytes), field->cover);
        for (int c = 0; c < whole.dims; c++) {
            key = hit_hash_word(key, (uint64_t)field->low[c]);
            key = hit_hash_word(key, (uint64_t)field->high[c]);
        }
    }
    return key;
}

/* Blocks in which tiles have changed places have the same messages. */
hit_status hit_deep_add_up(hit_deep *deep, const hit_deep_plan *plan,
                           const hit_layout *layout, const hit_deep_form *form,
                           hit_around_sum *sum)
{
    hit_deep_around wanted;
    hit_deep_sum *found;
    uint64_t key;

    hit_deep_want(plan, layout, form->period, &wanted);
    for (int f = 0; f < plan->fields; f++) {
        if (!plan->field[f].sent) wanted.field[f].low = NULL;
    }
    key = key_of(&wanted.around);
    if (deep->sum == NULL) {
        HIT_TRY(hit_memory_zeroed(HIT_DEEP_SUMS, sizeof(*deep->sum), &deep->sum));
    }
    found = &deep->sum[key % HIT_DEEP_SUMS];
    if (found->key != key) {
        found->key = 0;
        HIT_TRY(hit_around_add_up(&wanted.around, &found->sum));
        found->key = key;
    }
    *sum = found->sum;
    return HIT_OK;
}

/* ---- where the elements lie ---- */

enum {
    NAMES = 200
};

/* A view of each tile that is under way; and the names of these. */
typedef struct field_sides {
    hit_sides of;
    hit_view view[HIT_DEEP_FIELDS];
    char name[NAMES];
} field_sides;

static hit_storage *storage_of(hit_deep *deep, const hit_deep_part *part)
{
    const hit_deep_tile *tile = hit_deep_find(deep, part->number);

    return tile != NULL ? tile->storage : NULL;
}

static void set_sides(hit_deep *deep, const hit_deep_plan *plan, field_sides *made)
{
    made->of = (hit_sides){.user = made->view,
                           .owner = made->view,
                           .buffer = plan->buffer,
                           .name = made->name};
    made->name[0] = '\0';
    for (int f = 0; f < plan->fields; f++) {
        const hit_storage *storage = storage_of(deep, &plan->field[f]);

        made->view[f] = (hit_view){.data = NULL};
        if (storage == NULL || !plan->field[f].under_way) continue;
        made->view[f] = storage->view[0];
        hit_text_add(made->name, NAMES, "%s%s", made->name[0] != '\0' ? ", " : "",
                     storage->name);
    }
}

/* The elements of field number @p f: where they come from, or where they go. */
static hit_status touch_message(const hit_message_plan *plan, const hit_message *message,
                                int f, hit_storage *storage, hit_intent intent)
{
    for (int k = 0; k < message->count; k++) {
        const hit_transfer *t = &plan->transfer[message->first + k];
        const hit_domain box =
            intent == HIT_READ ? hit_remap_apply(&t->remap, &t->domain) : t->domain;

        if (t->user_piece == f) HIT_TRY(hit_storage_touch(storage, 0, &box, intent));
    }
    return HIT_OK;
}

/* What is sent is fetched from the device, and what comes makes its copies old. Within a
 * process elements are copied only where all devices work in place. */
static hit_status touch(const hit_exchange *exchange, int f, hit_storage *storage)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    if (!hit_storage_is_away(storage) && !hit_storage_has_lost(storage)) return HIT_OK;
    for (int m = 0; m < plan->sends; m++) {
        HIT_TRY(touch_message(plan, &plan->send[m], f, storage, HIT_READ));
    }
    for (int m = 0; m < plan->receives; m++) {
        HIT_TRY(touch_message(plan, &plan->receive[m], f, storage, HIT_WRITE));
    }
    return HIT_OK;
}

/* The program may have looked since the plan was made. */
static void take_buffers(hit_deep *deep, const hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        hit_storage *storage = storage_of(deep, &plan->field[f]);

        if (storage == NULL || storage->adopted == NULL) continue;
        hit_stations_keep_failure(deep->context->stations,
                                  hit_storage_take_buffer(storage, 0));
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
        /* what fills rims may be there, seen before: it comes anew */
        if (part->sent && tile->storage != NULL &&
            (plan->periodic & ~tile->periodic) != 0) {
            tile->storage->version++;
        }
    }
}

/* A field that is sent. *logged becomes false where there is no memory to log that
 * elements are to come. */
static hit_status begin_field(hit_deep *deep, const hit_deep_plan *plan, int f,
                              bool *logged)
{
    hit_storage *storage = storage_of(deep, &plan->field[f]);
    hit_status status;

    if (storage == NULL) return HIT_OK;
    status = touch(plan->exchange, f, storage);
    hit_stations_keep_failure(deep->context->stations, status);
    /* the program does not touch its memory before the elements have come */
    if (hit_storage_log_recorded(storage, true) != HIT_OK) *logged = false;
    return status;
}

/* A failure keeps no message from being sent, which tells of it: the peers wait for it.
 * What fails for one field fails for all that are sent. */
hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan)
{
    uint64_t sent = 0;
    bool fails = false;
    bool logged = true;
    hit_status status;
    field_sides sides;

    /* what ran meanwhile heard of a neighbour that has left */
    if (!deep->inside) return hit_stations_tell_failure(deep->context->stations);
    take_buffers(deep, plan);
    deep->context->stations->recorded.asked++;
    deep->under_way = plan;
    deep->begun_at = deep->launches;
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];

        part->under_way = part->sent;
        if (!part->sent) continue;
        sent |= (uint64_t)1 << f;
        fails |= begin_field(deep, plan, f, &logged) != HIT_OK;
    }
    if (sent == 0) return HIT_OK;
    set_sides(deep, plan, &sides);
    sides.of.fails = fails;
    hit_exchange_choose(plan->exchange, sent);
    status = hit_exchange_begin(plan->exchange, &sides.of, NULL);
    hit_exchange_count(plan->exchange, &deep->context->launcher->sent);
    /* what cannot be logged is waited for at once */
    return logged || status != HIT_OK ? status : hit_deep_arrive(deep);
}

/* All of a field is lost, so that what reads around it fails, too. */
static void end_field(hit_deep *deep, hit_deep_part *part, hit_status status)
{
    hit_storage *storage = storage_of(deep, part);

    if (!part->under_way) return;
    part->under_way = false;
    if (status == HIT_OK || storage == NULL) return;
    hit_storage_lose(storage, 0, &storage->owned[0], status);
}

static hit_status arrive(hit_deep *deep)
{
    hit_deep_plan *plan = deep->under_way;
    hit_trace *trace = deep->context->trace;
    const double start_s = hit_trace_start(trace);
    hit_status status;
    bool waits = false;
    field_sides sides;

    if (plan == NULL) return HIT_OK;
    deep->under_way = NULL;
    for (int f = 0; f < plan->fields; f++) {
        waits |= plan->field[f].under_way;
    }
    if (!waits) return HIT_OK;
    set_sides(deep, plan, &sides);
    status = hit_exchange_end(plan->exchange, &sides.of);
    deep->told = deep->told || hit_exchange_was_left(plan->exchange);
    for (int f = 0; f < plan->fields; f++) {
        end_field(deep, &plan->field[f], status);
    }
    hit_trace_add(trace, HIT_TRACE_WAIT, "rims of a block", start_s, 0);
    return status;
}

hit_status hit_deep_arrive(hit_deep *deep)
{
    const hit_status status = arrive(deep);

    if (!deep->told) return status;
    deep->now = NULL;
    hit_deep_watch(deep, false);
    return hit_deep_compare(deep);
}

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
    hit_stations_keep_failure(stations,
                              hit_exchange_leave_begin(plan->exchange, plan->buffer));
    hit_stations_keep_failure(stations, hit_exchange_leave_end(plan->exchange));
}
