/* SPDX-License-Identifier: MIT
 * The messages of a launch that is carried out: what the indices need comes before the
 * run, and results go to their owners after it. */
#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/data/marks.h"
#include "hit/launch/launch_plan.h"
#include "hit/run/run_impl.h"
#include "hit/tile/tile_impl.h"
#include "patterns/reduce.h"

#include <stddef.h>

/* Of an exchange of one argument. */
typedef struct side {
    hit_runner *r;
    const hit_use *use;
} side;

static hit_storage *storage_of(const side *s)
{
    return s->r->call->args[s->use->arg].tile->storage;
}

/* The piece of the storage where the user, or the owner, has the elements of a transfer;
 * -1: they are in no tile. */
static int piece_of(const side *s, const hit_transfer *t, bool owner)
{
    const hit_tile *tile = s->r->call->args[s->use->arg].tile;
    const int own = owner ? t->owner_piece : s->use->piece[t->user_piece];

    return own < 0 ? -1 : tile->piece[own];
}

static hit_domain box_of(const hit_transfer *t, bool owner)
{
    return owner ? hit_remap_apply(&t->remap, &t->domain) : t->domain;
}

/* Beyond a boundary: mostly it is there, from the launch before. */
static hit_status fill_constant(const side *s, const hit_transfer *t)
{
    const hit_view *user = &s->use->user[t->user_piece];
    hit_storage *storage = storage_of(s);
    const int piece = piece_of(s, t, false);

    if (piece >= 0) {
        if (hit_storage_is_constant(storage, piece, &t->domain)) return HIT_OK;
        HIT_TRY(hit_storage_wait(storage, piece, &t->domain, HIT_WRITE));
    }
    if (!storage->reserves) { /* nobody reads it in a dry run */
        hit_view_fill(user, &t->domain, storage->constant);
    }
    if (piece < 0) return HIT_OK;
    HIT_TRY(hit_storage_forget(storage, piece, &t->domain));
    return hit_storage_note_constant(storage, piece, &t->domain);
}

/* What no device could copy goes through the host. */
static hit_status copy_left(const side *s, const hit_transfer *t, const hit_region *left)
{
    const int to = piece_of(s, t, false);

    for (int k = 0; k < left->count; k++) {
        const hit_domain *box = &left->part[k];
        const hit_domain source = hit_remap_apply(&t->remap, box);

        HIT_TRY(
            hit_storage_touch(storage_of(s), piece_of(s, t, true), &source, HIT_READ));
        if (to >= 0) HIT_TRY(hit_storage_wait(storage_of(s), to, box, HIT_WRITE));
        if (!storage_of(s)->reserves) {
            hit_view_copy(&s->use->owner[t->owner_piece], &s->use->user[t->user_piece],
                          box, &t->remap);
        }
        if (to >= 0) HIT_TRY(hit_storage_forget(storage_of(s), to, box));
    }
    return HIT_OK;
}

/* Of a gather, where devices hold some of the tile. */
static hit_status copy_locally(void *caller, const hit_transfer *t)
{
    const side *s = caller;
    const int to = piece_of(s, t, false);
    hit_region left = {0};
    hit_status status;

    if (t->constant) return fill_constant(s, t);
    HIT_TRY(hit_region_append(&left, &t->domain));
    status = to < 0 ? HIT_OK
                    : hit_storage_image(storage_of(s),
                                        &(hit_image_pair){.from = piece_of(s, t, true),
                                                          .to = to,
                                                          .remap = t->remap},
                                        &left);
    if (status == HIT_OK) status = copy_left(s, t, &left);
    hit_region_clear(&left);
    return status;
}

static hit_sides sides_of(const side *s, size_t buffer_offset)
{
    hit_trace *trace = s->r->call->context->trace;
    const hit_storage *storage = storage_of(s);

    return (hit_sides){.user = s->r->fails ? NULL : s->use->user, /* it may lack a halo */
                       .owner = s->r->fails ? NULL : s->use->owner,
                       .constant = storage->constant,
                       .buffer = s->r->launcher->scratch + buffer_offset,
                       .pack_s = hit_trace_on(trace) ? &trace->pack_s : NULL,
                       .locally = hit_storage_is_away(storage) ? copy_locally : NULL,
                       .caller = (void *)(uintptr_t)s,
                       .name = storage->name,
                       .fails = s->r->fails};
}

/* What is done before and after elements go or come. */
typedef hit_status act(hit_storage *storage, int piece, const hit_domain *box,
                       hit_intent intent);

/* With the elements of message @p message, at the owner's or the user's. */
static hit_status each_transfer(const side *s, const hit_exchange *exchange,
                                const hit_message *message, hit_intent intent, act *one)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);
    const bool owner = (plan->direction == HIT_GATHER) == (intent == HIT_READ);

    for (int k = 0; k < message->count; k++) {
        const hit_transfer *t = &plan->transfer[message->first + k];
        const hit_domain box = box_of(t, owner);
        const int piece = piece_of(s, t, owner);

        if (piece >= 0) HIT_TRY(one(storage_of(s), piece, &box, intent));
    }
    return HIT_OK;
}

/* Is nothing lost that is copied within the process? */
static hit_status check_locals(const side *s)
{
    const hit_message_plan *plan = hit_exchange_plan(s->use->gather);

    for (int k = 0; k < plan->locals && hit_storage_has_lost(storage_of(s)); k++) {
        const hit_transfer *t = &plan->transfer[k];
        const hit_domain box = box_of(t, true);

        if (t->constant) continue;
        HIT_TRY(hit_storage_check_lost(storage_of(s), piece_of(s, t, true), &box));
    }
    return HIT_OK;
}

/* Other processes wait for what tasks write of it: those come first. */
static hit_status hasten(hit_storage *storage, int piece, const hit_domain *box,
                         hit_intent intent)
{
    (void)intent;
    return hit_fence_visit(storage->fence, piece, box, false, hit_tasks_hasten,
                           storage->context->stations->tasks);
}

/* With the elements of all messages that are sent. */
static hit_status each_sent(const side *s, const hit_exchange *exchange, act *one)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    for (int m = 0; m < plan->sends; m++) {
        if (hit_exchange_delivery(exchange, m) == HIT_DELIVER_NONE) continue;
        HIT_TRY(each_transfer(s, exchange, &plan->send[m], HIT_READ, one));
    }
    return HIT_OK;
}

/* With those of all that are received, or, when they have @p come, of those that brought
 * some. */
static hit_status each_received(const side *s, const hit_exchange *exchange, bool come,
                                act *one)
{
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    for (int m = 0; m < plan->receives && hit_storage_is_away(storage_of(s)); m++) {
        if (come && hit_exchange_brought(exchange, m) != HIT_BROUGHT_ELEMENTS) continue;
        HIT_TRY(each_transfer(s, exchange, &plan->receive[m], HIT_WRITE, one));
    }
    return HIT_OK;
}

/* Before messages read the host's memory: it has what is sent. */
static hit_status touch_sent(const side *s, const hit_exchange *exchange)
{
    if (!hit_storage_is_away(storage_of(s)) && !hit_storage_has_lost(storage_of(s))) {
        return HIT_OK;
    }
    if (hit_tasks_any(s->r->stations->tasks)) HIT_TRY(each_sent(s, exchange, hasten));
    return each_sent(s, exchange, hit_storage_touch);
}

static hit_status forget(hit_storage *storage, int piece, const hit_domain *box,
                         hit_intent intent)
{
    (void)intent;
    return hit_storage_forget(storage, piece, box);
}

/* What the launch names its messages by; false: nothing of them stays. */
static bool set_content(const side *s, hit_content *content)
{
    const hit_storage *storage = storage_of(s);
    const bool halo = s->use->retained && s->use->mode == HIT_MODE_IN;

    /* a buffer of the plan is for all tiles, each of which has halos of its own */
    *content = (hit_content){.memory = halo ? storage->number : 1,
                             .tile = storage->number,
                             .version = storage->version};
    return halo || s->use->kept;
}

/* The host filled them in; devices load them with the tile. */
static hit_status note_constants(const side *s)
{
    const hit_message_plan *plan = hit_exchange_plan(s->use->gather);

    for (int k = 0; k < plan->locals; k++) {
        const hit_transfer *t = &plan->transfer[k];
        const int piece = piece_of(s, t, false);

        if (!t->constant || piece < 0) continue;
        if (hit_storage_is_constant(storage_of(s), piece, &t->domain)) continue;
        HIT_TRY(hit_storage_note_constant(storage_of(s), piece, &t->domain));
    }
    return HIT_OK;
}

static hit_status begin_gather(const side *s)
{
    hit_sides sides;
    hit_content content;
    const bool stays = set_content(s, &content);
    hit_first first;

    hit_first_begin(&first);
    if (s->use->holds) hit_first_keep(&first, hit_runner_begin_holds(s->r, s->use));
    s->r->fails = s->r->fails || first.status != HIT_OK;
    if (!s->r->fails) {
        hit_first_keep(&first, check_locals(s));
        hit_first_keep(&first, touch_sent(s, s->use->gather));
        /* messages that say that nothing changed write nothing: what devices hold is old
         * when something came */
        hit_first_keep(&first, each_received(s, s->use->gather, false, hit_storage_wait));
        s->r->fails = first.status != HIT_OK;
    }
    sides = sides_of(s, s->use->gather_offset_bytes);
    hit_first_keep(&first,
                   hit_exchange_begin(s->use->gather, &sides, stays ? &content : NULL));
    if (sides.locally == NULL && first.status == HIT_OK &&
        hit_exchange_copied(s->use->gather) && !hit_stations_in_place(s->r->stations)) {
        hit_first_keep(&first, note_constants(s));
    }
    if (s->use->holds) hit_runner_note_given(s->r, s->use, sides.fails);
    return hit_first_tell(&first);
}

/* A failure to read the device keeps no message from being sent, which tells of it: the
 * peers wait for it. */
hit_status hit_runner_begin_gathers(hit_runner *r)
{
    hit_first first;

    if (r->gathers) return HIT_OK;
    r->gathers = true;
    hit_first_begin(&first);
    for (int u = 0; u < r->plan->uses; u++) {
        const side s = {r, &r->plan->use[u]};

        if (s.use->gather != NULL) hit_first_keep(&first, begin_gather(&s));
        r->fails = r->fails || first.status != HIT_OK;
    }
    return hit_first_tell(&first);
}

/* What devices hold of buffers that stay with the plan. */
static hit_status forget_kept(const side *s)
{
    const hit_use *use = s->use;

    if (!use->kept || use->has || !hit_exchange_changed(use->gather)) return HIT_OK;
    for (int k = 0; k < s->r->plan->pieces; k++) {
        if (use->piece[k] >= 0) continue;
        for (int d = 0; d < use->homes; d++) {
            HIT_TRY(hit_residents_forget(&use->home[d], k, &use->need[k]));
        }
    }
    return HIT_OK;
}

static hit_status receive_gathers(hit_runner *r, bool halos)
{
    hit_first first;

    hit_first_begin(&first);
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        const side s = {r, use};
        hit_sides sides;

        if (use->gather == NULL || use->retained != halos) continue;
        sides = sides_of(&s, use->gather_offset_bytes);
        hit_first_keep(&first, hit_exchange_end(use->gather, &sides));
        if (use->has) hit_first_keep(&first, hit_runner_note_received(r, use));
        hit_first_keep(&first, each_received(&s, use->gather, true, forget));
        hit_first_keep(&first, forget_kept(&s));
        hit_exchange_count(use->gather, &r->launcher->sent);
    }
    return hit_first_tell(&first);
}

/* The shortest one is that of the network, not of a process that came later. */
static void note_wait(hit_runner *r, bool halos, double start_s)
{
    const double wait_s = hit_clock_now(&r->call->context->clock) - start_s;
    bool waits = false;

    for (int u = 0; u < r->plan->uses && !waits; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->gather == NULL || use->retained != halos) continue;
        waits = hit_exchange_waits(use->gather);
    }
    if (!waits) return;
    if (r->launcher->wait_s == 0 || wait_s < r->launcher->wait_s) {
        r->launcher->wait_s = wait_s;
    }
}

static bool any_gather(const hit_runner *r, bool halos)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->gather != NULL && use->retained == halos) return true;
    }
    return false;
}

hit_status hit_runner_end_some(hit_runner *r, bool halos)
{
    const hit_context *context = r->call->context;
    hit_status status;
    double start_s;
    double from_s;
    double busy_s;

    if (!r->plan->gathers || !any_gather(r, halos)) return HIT_OK;
    start_s = hit_trace_start(context->trace);
    from_s = context->size > 1 ? hit_clock_now(&context->clock) : 0;
    busy_s = r->stations->busy_s;
    status = receive_gathers(r, halos);
    busy_s = r->stations->busy_s - busy_s; /* tasks ran meanwhile */
    if (context->size > 1) note_wait(r, halos, from_s + busy_s);
    hit_trace_add(context->trace, HIT_TRACE_WAIT, "gather", start_s + busy_s, 0);
    return status;
}

hit_status hit_runner_end_gathers(hit_runner *r)
{
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first, hit_runner_end_some(r, false));
    hit_first_keep(&first, hit_runner_end_some(r, true));
    return hit_first_tell(&first);
}

static hit_status combine(void *context, const hit_view *onto, const hit_view *from,
                          const hit_domain *domain)
{
    const hit_reducer *how = context;

    return hit_reduce_combine(*how, onto, from, domain);
}

static void clear(const hit_use *use, const hit_transfer *t, const void *identity)
{
    const hit_view *owner = &use->owner[t->owner_piece];

    if (use->marks != NULL) {
        hit_marks_zero(use->marks, owner, &t->domain);
    } else {
        hit_view_fill(owner, &t->domain, identity);
    }
}

/* The old content of elements that somebody adds to, or writes, does not count. */
static hit_status clear_owned(const hit_runner *r, const hit_use *use)
{
    const hit_message_plan *messages = hit_exchange_plan(use->give_back);
    const hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
    _Alignas(max_align_t) char identity[HIT_MAX_REDUCED_BYTES];

    if (use->marks == NULL) HIT_TRY(hit_reduce_identity(how, identity, 1));
    for (int k = 0; k < messages->locals; k++) {
        clear(use, &messages->transfer[k], identity);
    }
    for (int m = 0; m < messages->receives; m++) {
        const hit_message *message = &messages->receive[m];

        for (int k = 0; k < message->count; k++) {
            clear(use, &messages->transfer[message->first + k], identity);
        }
    }
    return HIT_OK;
}

/* Among the elements are some that stay. */
static hit_status touch_both(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent)
{
    HIT_TRY(hit_storage_touch(storage, piece, box, HIT_READ));
    return hit_storage_touch(storage, piece, box, intent);
}

/* Before a result goes to its owners: what is not in its place. */
static hit_status touch_results(const side *s, const hit_sides *sides)
{
    act *const touch_owned = s->use->marks != NULL ? touch_both : hit_storage_touch;
    const hit_exchange *exchange = s->use->give_back;
    const hit_message_plan *plan = hit_exchange_plan(exchange);

    if (!hit_storage_is_away(storage_of(s))) return HIT_OK;
    for (int k = 0; k < plan->locals; k++) {
        const hit_transfer *t = &plan->transfer[k];
        const hit_message alone = {.first = k, .count = 1};

        if (hit_exchange_is_in_place(t, sides)) continue;
        HIT_TRY(each_transfer(s, exchange, &alone, HIT_READ, hit_storage_touch));
        HIT_TRY(each_transfer(s, exchange, &alone, HIT_WRITE, touch_owned));
    }
    HIT_TRY(each_received(s, exchange, false, touch_owned));
    return touch_sent(s, exchange);
}

static hit_status return_result(hit_runner *r, hit_use *use)
{
    hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
    const bool reduces = hit_mode_reduces(use->mode) != 0;
    const side s = {r, use};
    hit_sides sides = sides_of(&s, use->return_offset_bytes);
    hit_first first;

    hit_first_begin(&first);
    if (!r->fails) hit_first_keep(&first, touch_results(&s, &sides));
    if (reduces && !r->fails && !storage_of(&s)->reserves) {
        hit_first_keep(&first, clear_owned(r, use));
    }
    r->fails = r->fails || first.status != HIT_OK;
    sides = sides_of(&s, use->return_offset_bytes);
    hit_first_keep(&first, hit_exchange_return(use->give_back, &sides,
                                               reduces ? combine : NULL, &how));
    hit_exchange_count(use->give_back, &r->launcher->sent);
    return hit_first_tell(&first);
}

hit_status hit_runner_return(hit_runner *r)
{
    hit_trace *trace = r->call->context->trace;
    const double start_s = hit_trace_start(trace);
    hit_first first;

    hit_first_begin(&first);
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];

        if (use->give_back != NULL) hit_first_keep(&first, return_result(r, use));
    }
    hit_trace_add(trace, HIT_TRACE_WAIT, "return", start_s, 0);
    return hit_first_tell(&first);
}
