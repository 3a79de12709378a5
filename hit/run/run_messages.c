/* SPDX-License-Identifier: MIT
 * The messages of a launch that is carried out: what the indices need comes before the
 * run, and results go to their owners after it. */
#include "hit/run/run_messages.h"

#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/launch/use.h"
#include "hit/run/runner.h"
#include "hit/tile/coherence.h"
#include "patterns/reduce.h"

static hit_sides sides_of(const hit_runner *r, const hit_use *use, size_t buffer_offset)
{
    const hit_tile *tile = r->call->args[use->arg].tile;
    hit_trace *trace = r->call->context->trace;

    return (hit_sides){use->user, use->owner, tile->storage->constant,
                       r->launcher->scratch + buffer_offset,
                       hit_trace_on(trace) ? &trace->pack_s : NULL};
}

static void count_messages(hit_runner *r, hit_exchange *exchange)
{
    hit_exchange_count(exchange, &r->launcher->messages_sent,
                       &r->launcher->message_bytes_sent);
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

/* A failure to read the device keeps no message from being sent: the peers wait for it.
 */
hit_status hit_runner_begin_gathers(hit_runner *r)
{
    hit_first first;

    if (!r->plan->gathers) return HIT_OK;
    hit_first_begin(&first);
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        const hit_storage *storage = r->call->args[use->arg].tile->storage;
        const bool stays = use->retained && use->mode == HIT_MODE_IN;
        hit_sides sides;

        if (use->gather == NULL) continue;
        sides = sides_of(r, use, use->gather_offset_bytes);
        hit_first_keep(&first, touch(r, use, use->gather, GIVES));
        hit_first_keep(&first, touch(r, use, use->gather, GETS));
        hit_first_keep(&first,
                       hit_exchange_begin(use->gather, &sides,
                                          stays ? storage->number : 0, storage->version));
    }
    return hit_first_tell(&first);
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

/* The shortest one is that of the network, not of a process that came later. */
static void note_wait(hit_runner *r, double start_s)
{
    const double wait_s = hit_clock_now(&r->call->context->clock) - start_s;
    bool waits = false;

    for (int u = 0; u < r->plan->uses && !waits; u++) {
        const hit_exchange *gather = r->plan->use[u].gather;

        waits = gather != NULL && hit_exchange_plan(gather)->receives > 0;
    }
    if (!waits) return;
    if (r->launcher->wait_s == 0 || wait_s < r->launcher->wait_s) {
        r->launcher->wait_s = wait_s;
    }
}

hit_status hit_runner_end_gathers(hit_runner *r)
{
    double start_s;
    double from_s;
    hit_status status;

    if (!r->plan->gathers) return HIT_OK;
    start_s = hit_trace_start(r->call->context->trace);
    from_s = r->call->context->size > 1 ? hit_clock_now(&r->call->context->clock) : 0;
    status = receive_gathers(r);
    if (r->call->context->size > 1) note_wait(r, from_s);
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
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first, touch(r, use, use->give_back, GIVES));
    hit_first_keep(&first, touch(r, use, use->give_back, GETS));
    if (reduces) hit_first_keep(&first, clear_owned(r, use));
    hit_first_keep(&first, hit_exchange_return(use->give_back, &sides,
                                               reduces ? combine : NULL, &how));
    count_messages(r, use->give_back);
    return hit_first_tell(&first);
}

hit_status hit_runner_return(hit_runner *r)
{
    const double start_s = hit_trace_start(r->call->context->trace);
    hit_first first;

    hit_first_begin(&first);
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];

        if (use->mode != HIT_MODE_IN) r->call->args[use->arg].tile->storage->version++;
        if (use->give_back != NULL) hit_first_keep(&first, return_result(r, use));
    }
    trace_wait(r, "return", start_s);
    return hit_first_tell(&first);
}
