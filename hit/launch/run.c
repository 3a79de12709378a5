/* SPDX-License-Identifier: MIT
 * Carries the plan of a launch out: gather, run (on all devices at once; in place, or
 * superblock by superblock through the device's memory), return. Nothing is allocated
 * here from the second run of a plan on. */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/device/crew.h"
#include "hit/device/reduce.h"
#include "hit/launch/runner.h"
#include "hit/launch/use.h"

#include <string.h>

static hit_sides sides_of(const hit_runner *r, const hit_use *use, size_t buffer_offset)
{
    const hit_tile *tile = r->call->args[use->arg].tile;

    return (hit_sides){use->user, use->owner, tile->storage->constant,
                       r->launcher->scratch + buffer_offset};
}

static void count_messages(hit_runner *r, hit_exchange *exchange)
{
    hit_exchange_count(exchange, &r->launcher->messages_sent,
                       &r->launcher->message_bytes_sent);
}

static double trace_start(const hit_runner *r)
{
    return hit_trace_start(r->call->context->trace);
}

/* Some argument's elements came from or went to others. */
static void put_wait(const hit_runner *r, const char *what, double start_s)
{
    bool waits = false;

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        waits = waits || use->gather != NULL || use->give_back != NULL;
    }
    if (!waits) return;
    hit_trace_add(r->call->context->trace, HIT_TRACE_WAIT, what, start_s, 0);
}

static void trace_wait(const hit_runner *r, const char *what, double start_s)
{
    if (hit_trace_on(r->call->context->trace)) put_wait(r, what, start_s);
}

/* The two ends of an exchange. In a gather the owners give and the users get; in a return
 * it is the other way round. */
typedef enum end {
    GIVES,
    GETS
} end;

static hit_status touch_transfer(const hit_runner *r, const hit_use *use,
                                 const hit_transfer *t, bool owner, hit_intent intent)
{
    const hit_tile *tile = r->call->args[use->arg].tile;
    const int own = owner ? t->owner_piece : use->piece[t->user_piece];
    const hit_domain box = owner ? hit_remap_apply(&t->remap, &t->domain) : t->domain;

    if (own < 0) return HIT_OK; /* a temporary piece */
    return hit_storage_touch(tile->storage, tile->piece[own], &box, intent);
}

/* Before messages read the host's memory, and before they write it. */
static hit_status touch(const hit_runner *r, const hit_use *use,
                        const hit_exchange *exchange, end which)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);
    const hit_tile *tile = r->call->args[use->arg].tile;
    const bool owner = (plan->direction == HIT_GATHER) == (which == GIVES);
    const hit_intent intent = which == GIVES ? HIT_READ : HIT_WRITE;
    const hit_message *message = which == GIVES ? plan->send : plan->receive;
    const int messages = which == GIVES ? plan->sends : plan->receives;

    if (!hit_storage_is_away(tile->storage)) return HIT_OK;
    for (int k = 0; k < plan->locals; k++) {
        const hit_transfer *t = &plan->transfer[k];

        if (owner && t->constant) continue;
        HIT_TRY(touch_transfer(r, use, t, owner, intent));
    }
    for (int m = 0; m < messages; m++) {
        for (int k = 0; k < message[m].count; k++) {
            const hit_transfer *t = &plan->transfer[message[m].first + k];

            HIT_TRY(touch_transfer(r, use, t, owner, intent));
        }
    }
    return HIT_OK;
}

static void keep_first(hit_status *first, hit_status status)
{
    if (*first == HIT_OK) *first = status;
}

/* A failure to read the device keeps no message from being sent: the peers wait for it.
 */
static hit_status begin_gathers(hit_runner *r)
{
    hit_status first = HIT_OK;

    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        const hit_storage *storage = r->call->args[use->arg].tile->storage;
        const bool stays = use->retained && use->mode == HIT_MODE_IN;
        hit_sides sides;

        if (use->gather == NULL) continue;
        sides = sides_of(r, use, use->gather_offset_bytes);
        keep_first(&first, touch(r, use, use->gather, GIVES));
        keep_first(&first, touch(r, use, use->gather, GETS));
        keep_first(&first,
                   hit_exchange_begin(use->gather, &sides, stays ? storage->number : 0,
                                      storage->version));
    }
    return first;
}

static hit_status receive_gathers(hit_runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        hit_sides sides;

        if (use->gather == NULL) continue;
        sides = sides_of(r, use, use->gather_offset_bytes);
        HIT_TRY(hit_exchange_end(use->gather, &sides));
        count_messages(r, use->gather);
    }
    return HIT_OK;
}

static hit_status end_gathers(hit_runner *r)
{
    const double start_s = trace_start(r);
    const hit_status status = receive_gathers(r);

    trace_wait(r, "gather", start_s);
    return status;
}

typedef struct reduction {
    hit_mode mode;
    hit_type type;
} reduction;

static hit_status combine(void *context, const hit_view *onto, const hit_view *from,
                          const hit_domain *domain)
{
    const reduction *how = context;

    return hit_reduce_combine(how->mode, how->type, onto, from, domain);
}

/* The old content of elements that somebody adds to does not count. */
static hit_status clear_owned(const hit_runner *r, const hit_use *use)
{
    const hit_message_plan *messages = hit_exchange_plan(use->give_back);
    const hit_type type = r->call->args[use->arg].type;
    char identity[16];

    HIT_TRY(hit_reduce_identity(use->mode, type, identity, 1));
    for (int k = 0; k < messages->locals; k++) {
        const hit_transfer *t = &messages->transfer[k];

        hit_view_fill(&use->owner[t->owner_piece], &t->domain, identity);
    }
    for (int m = 0; m < messages->receives; m++) {
        const hit_message *message = &messages->receive[m];

        for (int k = 0; k < message->count; k++) {
            const hit_transfer *t = &messages->transfer[message->first + k];

            hit_view_fill(&use->owner[t->owner_piece], &t->domain, identity);
        }
    }
    return HIT_OK;
}

static hit_status return_result(hit_runner *r, hit_use *use)
{
    reduction how = {use->mode, r->call->args[use->arg].type};
    const bool reduces = hit_mode_reduces(use->mode) != 0;
    const hit_sides sides = sides_of(r, use, use->return_offset_bytes);
    hit_status first = touch(r, use, use->give_back, GIVES);

    keep_first(&first, touch(r, use, use->give_back, GETS));
    if (reduces) keep_first(&first, clear_owned(r, use));
    keep_first(&first, hit_exchange_return(use->give_back, &sides,
                                           reduces ? combine : NULL, &how));
    count_messages(r, use->give_back);
    return first;
}

static hit_status return_results(hit_runner *r)
{
    hit_status first = HIT_OK;

    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];

        if (use->mode != HIT_MODE_IN) r->call->args[use->arg].tile->storage->version++;
        if (use->give_back != NULL) keep_first(&first, return_result(r, use));
    }
    return first;
}

/* Is a tile new to this plan? All processes say the same, since they launch the same. */
static bool meet_tiles(hit_runner *r)
{
    const int room = (int)(sizeof(r->plan->met) / sizeof(r->plan->met[0]));
    bool fresh = false;

    for (int u = 0; u < r->plan->uses; u++) {
        const uint64_t number = r->call->args[r->plan->use[u].arg].tile->storage->number;
        bool known = false;

        for (int k = 0; k < room; k++) {
            known = known || r->plan->met[k] == number;
        }
        if (known) continue;
        r->plan->met[r->plan->next_met] = number;
        r->plan->next_met = (r->plan->next_met + 1) % room;
        fresh = true;
    }
    return fresh;
}

/* Let the memory of all tiles hold what the plan needs. Only a tile that is new to the
 * plan can need more, and then all processes agree that there was enough, before the
 * first message. */
static hit_status grow_tiles(hit_runner *r)
{
    const bool fresh = meet_tiles(r);
    hit_status status = hit_launcher_reserve(r->launcher, r->plan->scratch_bytes);

    for (int u = 0; u < r->plan->uses && status == HIT_OK; u++) {
        const hit_use *use = &r->plan->use[u];

        status = hit_use_cover(use, r->call->args[use->arg].tile, r->plan->pieces);
    }
    return fresh ? hit_comm_agree(r->call->context->comm, status) : status;
}

static hit_status prepare(hit_runner *r)
{
    HIT_TRY(grow_tiles(r));
    for (int k = 0; k < r->call->count; k++) {
        if (r->call->args[k].tile != NULL) continue;
        r->run.slot[k].base = (void *)(uintptr_t)r->call->args[k].value;
        r->run.slot[k].dense = 1;
    }
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];

        hit_use_refresh(use, r->call->args[use->arg].tile, r->plan->pieces,
                        r->launcher->scratch);
    }
    return hit_runner_start_sums(r);
}

/* Run @p count boxes of indices in place, and keep the time. */
static hit_status run_boxes(hit_runner *r, int count, const hit_domain box[])
{
    const double start = hit_comm_time(r->call->context->comm);
    hit_status status = HIT_OK;

    for (int k = 0; k < count && status == HIT_OK; k++) {
        status = hit_runner_box(r, &box[k]);
    }
    r->launcher->busy_s += hit_comm_time(r->call->context->comm) - start;
    return status;
}

/* The inner part of the indices while messages are under way, then the border. */
static hit_status run_overlapped(hit_runner *r)
{
    hit_status inner;

    hit_runner_set_slots(r, &r->plan->part[0]);
    r->station->superblocks++;
    inner = run_boxes(r, 1, &r->plan->inner);
    HIT_TRY(end_gathers(r)); /* whatever happened: the peers wait for it */
    HIT_TRY(inner);
    return run_boxes(r, r->plan->border.count, r->plan->border.part);
}

/* May the launch return while the device is at work? Then nobody reads what it writes, or
 * writes what it reads, before hit_settle(). */
static bool may_leave(const hit_runner *r)
{
    if (!r->device->ops->async || !r->plan->stays) return false;
    for (int k = 0; k < r->plan->parts; k++) {
        const hit_part *part = &r->plan->part[k];

        if (part->device == r->number && part->superblocks.arena_bytes > 0) return false;
    }
    return true;
}

/* All parts of the runner's device. */
static hit_status run_parts(hit_runner *r)
{
    const bool in_place = r->station->in_place;
    hit_status status = HIT_OK;

    for (int k = 0; k < r->plan->parts && status == HIT_OK; k++) {
        hit_part *part = &r->plan->part[k];

        if (part->device != r->number) continue;
        status = in_place ? hit_runner_in_place(r, part) : hit_runner_on_device(r, part);
    }
    if (status != HIT_OK) return status;
    if (!may_leave(r)) return r->device->ops->wait(r->device->state);
    r->station->in_flight = true;
    return HIT_OK;
}

static void set_device(hit_runner *r, int number)
{
    r->number = number;
    r->station = &r->launcher->station[number];
    r->device = r->station->device;
    r->run.threads = r->device->ops->threads(r->device->state);
}

/* On the thread of device number @p number. */
static hit_status run_device(void *argument, int number)
{
    hit_runner r = *(const hit_runner *)argument;

    set_device(&r, number);
    return run_parts(&r);
}

/* What one device needs and another one has is sent to the host, and what one will write
 * is forgotten elsewhere: then they can run at the same time. */
static hit_status run_shared(hit_runner *r)
{
    for (int k = 0; k < r->plan->parts; k++) {
        HIT_TRY(hit_part_settle(r->call, r->plan, &r->plan->part[k]));
    }
    HIT_TRY(r->plan->shared ? hit_crew_run(r->call->context->crew, run_device, r)
                            : run_parts(r));
    return hit_runner_end_sums(r);
}

static hit_status run_pieces(hit_runner *r)
{
    hit_status status;
    double start;

    HIT_TRY(end_gathers(r));
    start = hit_comm_time(r->call->context->comm);
    status = r->launcher->stations > 1 ? run_shared(r) : run_parts(r);
    r->launcher->busy_s += hit_comm_time(r->call->context->comm) - start;
    return status;
}

static void put_launch(const hit_runner *r, double start_s)
{
    const hit_call *call = r->call;

    hit_trace_put(
        call->context->trace, HIT_TRACE_LAUNCH,
        &(hit_trace_event){.what = call->kernel->name,
                           .start_s = start_s,
                           .end_s = hit_trace_now(),
                           .bytes = r->plan->touched_bytes,
                           .indices = r->plan->indices,
                           .operations = hit_call_operations(call, r->plan->indices)});
}

hit_status hit_launch_run(const hit_call *call, hit_launch_plan *plan)
{
    hit_status run;
    hit_status given;
    double start_s;
    double return_s;
    hit_runner r;

    /* not cleared as a whole: it is large, and every used slot is set below */
    r.call = call;
    r.launcher = call->context->launcher;
    r.plan = plan;
    set_device(&r, 0);
    r.run.later = 0;
    r.run.queue = NULL;
    r.run.blas = NULL;
    r.run.chunks = 0;
    r.run.reduced = 0;
    memset(r.run.partial, 0, sizeof(r.run.partial));
    start_s = trace_start(&r);
    HIT_TRY(prepare(&r));
    run = begin_gathers(&r);
    if (run != HIT_OK) {
        (void)end_gathers(&r); /* whatever happened: the peers wait for it */
    } else {
        run = plan->overlaps ? run_overlapped(&r) : run_pieces(&r);
    }
    r.launcher->indices += plan->indices;
    return_s = trace_start(&r);
    given = return_results(&r); /* also after a failure: the peers wait for it */
    trace_wait(&r, "return", return_s);
    if (hit_trace_on(call->context->trace)) put_launch(&r, start_s);
    return run != HIT_OK ? run : given;
}
