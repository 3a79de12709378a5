/* SPDX-License-Identifier: MIT
 * The device's side of a launch: slots, boxes, and launches on what is in the device's
 * memory. */
#include "hit/base/memory.h"
#include "hit/device/box_costs.h"
#include "hit/launch/launch_plan.h"
#include "hit/run/chains.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"
#include "patterns/transform.h"

#include <stdio.h>

/* The speed of a device that is made slow may depend on them. Of several devices it is
 * not known yet which one runs the launch. */
static bool needs_elements(const hit_runner *r)
{
    return r->stations->count > 1 || r->device->slow != NULL;
}

/* Is the run on these indices, which are the plan's? */
static bool has_box(const hit_runner *r, const hit_domain *box)
{
    return r->place == r->plan->place && r->box == box;
}

/* Are they the plan's, of its first piece or part? A plan that is recorded in a dry run
 * has no parts. */
static bool is_of_plan(const hit_launch_plan *plan, const hit_domain *box)
{
    return box == &plan->index[0] || (plan->part != NULL && box == &plan->part[0].index);
}

void hit_runner_set_box(hit_runner *r, const hit_domain *box)
{
    hit_run *run = &r->run;

    if (has_box(r, box)) return;
    r->place = r->plan->place;
    r->box = is_of_plan(r->plan, box) ? box : NULL;
    hit_run_set_box(run, box);
    run->elements = 0;
    for (int u = 0; u < r->plan->uses; u++) {
        const int arg = r->plan->use[u].arg;

        run->dense &= run->slot[arg].dense;
        if (!needs_elements(r)) continue;
        if (run->elements < r->elements[arg]) run->elements = r->elements[arg];
    }
}

/* A device that cuts a sum has to know which elements it adds to. */
static hit_status run_sum(hit_runner *r, const hit_domain *box)
{
    hit_domain need[HIT_MAX_ARGS];

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (!hit_mode_reduces(use->mode)) continue;
        hit_known_kernel_cover(r->plan->known, use->arg, &use->tile, box,
                               &need[use->arg]);
    }
    return hit_device_run(r->device, r->call->kernel, &r->run, need);
}

static hit_status run_box(void *of, const hit_domain *box)
{
    hit_runner *r = of;

    if (!has_box(r, box)) hit_runner_set_box(r, box);
    return hit_device_run(r->device, r->call->kernel, &r->run, NULL);
}

/* Are boxes of it to be timed, and may it be cut into them? Whole boxes round as they are
 * cut. */
static bool is_measured(const hit_runner *r, const hit_domain *box)
{
    const hit_box_costs *costs = r->call->context->costs;
    const hit_kernel *kernel = r->call->kernel;

    return costs != NULL && costs->dims == box->dims && r->stations->count == 1 &&
           kernel->whole_box == 0 && !hit_kernel_is_ordered(kernel) &&
           !hit_device_async(r->device) && !r->device->counts;
}

hit_status hit_runner_box(hit_runner *r, const hit_domain *box)
{
    if (!has_box(r, box)) {
        if (hit_domain_is_empty(box)) return HIT_OK;
        hit_runner_set_box(r, box);
    }
    if (r->plan->reduces) return run_sum(r, box);
    if (is_measured(r, box)) {
        return hit_box_costs_run(r->call->context->costs, r->device, box, &r->run,
                                 run_box, r);
    }
    return hit_device_run(r->device, r->call->kernel, &r->run, NULL);
}

void hit_runner_set_slot(hit_runner *r, int use, const hit_view *view)
{
    const hit_use *of = &r->plan->use[use];

    r->box = NULL;
    hit_slot_set(&r->run.slot[of->arg], view, &of->tile,
                 hit_kernel_has_body(r->call->kernel));
    if (needs_elements(r)) {
        r->elements[of->arg] = hit_domain_count(&view->domain);
    }
}

void hit_runner_set_slots(hit_runner *r, const hit_part *part)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_runner_set_slot(r, u, part->claim[u].host);
    }
}

/* Has some of the part run already? */
static bool goes_on(const hit_runner *r, const hit_part *part)
{
    return r->phase == HIT_PHASE_BORDER && part->begun;
}

/* Run the indices of the part that are of this phase, with the slots as they are. */
static hit_status run_boxes(hit_runner *r, hit_part *part)
{
    const hit_launch_plan *plan = r->plan;
    const bool inner = r->phase == HIT_PHASE_INNER;
    const int count = inner ? 1 : plan->border.count;

    if (!inner && !goes_on(r, part)) return hit_runner_box(r, &part->index);
    for (int k = 0; k < count; k++) {
        const hit_domain box = hit_domain_intersect(
            inner ? &plan->inner : &plan->border.part[k], &part->index);

        HIT_TRY(hit_runner_box(r, &box));
    }
    part->begun = inner;
    return HIT_OK;
}

hit_status hit_runner_in_place(hit_runner *r, hit_part *part)
{
    r->station->superblocks += !goes_on(r, part); /* it became no task as a whole */
    return run_boxes(r, part);
}

/* ---- all that a part needs stays on the device ---- */

static hit_home *home_of(const hit_runner *r, const hit_part *part, int u)
{
    const hit_use *use = &r->plan->use[u];

    if (use->piece[part->piece] < 0) return &use->home[r->number];
    return &hit_use_storage(use, r->call)->home[r->number];
}

/* What is needed now: of a tile whose elements are under way, what the inner indices
 * read. */
static hit_domain need_now(const hit_runner *r, const hit_part *part, int u)
{
    const hit_use *use = &r->plan->use[u];
    hit_domain inner;

    if (r->phase != HIT_PHASE_INNER || use->mode != HIT_MODE_IN || use->gather == NULL ||
        !use->retained) {
        return part->claim[u].need;
    }
    inner = hit_domain_intersect(&r->plan->inner, &part->index);
    return hit_pattern_cover(use->pattern, &use->tile, &inner);
}

/* What goes on is there already, or on the host if it gave way: results, too. */
static hit_status make_wishes(hit_runner *r, const hit_part *part, hit_wish wish[])
{
    const bool on = goes_on(r, part);

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_claim *claim = &part->claim[u];
        hit_home *home = home_of(r, part, u);

        wish[u] = (hit_wish){.home = home,
                             .piece = hit_use_storage_piece(use, r->call, part->piece),
                             .host = claim->host,
                             .need = need_now(r, part, u),
                             .written = use->pattern->only_read > 0 ? claim->writes
                                                                    : claim->need,
                             .box = part->rims ? claim->box : claim->need,
                             .load = claim->loads || on,
                             .writes = use->mode != HIT_MODE_IN};
        if (use->piece[part->piece] < 0 && (!use->kept || use->has) && !on) {
            HIT_TRY(hit_residents_forget(home, part->piece, &claim->need));
        }
    }
    return HIT_OK;
}

static hit_status run_resident(hit_runner *r, hit_part *part, const hit_wish wish[],
                               hit_resident *const found[])
{
    const bool on = goes_on(r, part);
    hit_status run;
    hit_status noted;

    for (int u = 0; u < r->plan->uses; u++) {
        hit_runner_set_slot(r, u, &found[u]->view);
    }
    run = run_boxes(r, part);
    /* also what a failed kernel left */
    noted = hit_residents_release(&r->station->residents, r->plan->uses, wish, found);
    r->station->superblocks += !on;
    return run != HIT_OK ? run : noted;
}

/* ---- what a part needs does not fit ---- */

/* A part that is streamed. */
typedef struct streamed {
    hit_runner *r;
    const hit_plan *plan;
} streamed;

static hit_status run_superblock(void *caller, const hit_superblock *of)
{
    const streamed *s = caller;
    hit_runner *r = s->r;
    const hit_kernel *kernel = r->call->kernel;
    const hit_domain *box = &of->box;
    hit_domain own = {.dims = kernel->dims};

    for (int u = 0; u < r->plan->uses; u++) {
        hit_runner_set_slot(r, u, &of->view[u]);
    }
    if (box->dims == own.dims) return hit_runner_box(r, box);
    for (int d = 0; d < own.dims; d++) {
        own.sig[d] = box->sig[d];
    }
    for (int a = 0; a < kernel->alongs; a++) {
        const hit_along *along = &kernel->along[a];

        r->run.slot[along->arg].begin[along->dim] = box->sig[own.dims].begin;
        r->run.slot[along->arg].end[along->dim] = box->sig[own.dims].end;
    }
    r->run.later = hit_plan_turn(s->plan, of->k, own.dims) > 0;
    return hit_runner_box(r, &own);
}

hit_status hit_runner_clear_device(hit_runner *r, const hit_part *part)
{
    if (r->station->residents.first == NULL) return HIT_OK;
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_claim *claim = &part->claim[u];

        if (use->piece[part->piece] < 0 || claim->loads) continue;
        HIT_TRY(hit_residents_forget(home_of(r, part, u),
                                     hit_use_storage_piece(use, r->call, part->piece),
                                     &claim->need));
    }
    return hit_residents_evict(&r->station->residents);
}

/* A log for this launch alone, which waits for its end. */
static hit_status own_log(hit_runner *r, const hit_part *part, int u, hit_fence **log)
{
    hit_fence **own = &r->station->log[u];

    if (*own == NULL) {
        /* of its own lanes: other devices of the launch are at work at the same time */
        HIT_TRY(hit_fence_create(
            HIT_LANES, -1,
            &r->stations->over[hit_source_of_lane(r->number, HIT_LANE_RUN)], own));
    }
    if (!goes_on(r, part)) hit_fence_clear(*own);
    *log = *own;
    return HIT_OK;
}

/* Where the copies of a stream are logged. */
static hit_status set_logs(hit_runner *r, const hit_part *part, hit_stream *stream)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->piece[part->piece] < 0 || r->plan->shared) {
            stream->piece[u] = 0;
            stream->source[u] = 0;
            HIT_TRY(own_log(r, part, u, &stream->log[u]));
        } else {
            stream->piece[u] = hit_use_storage_piece(use, r->call, part->piece);
            stream->source[u] = hit_source_of_lane(r->number, HIT_LANE_RUN);
            stream->log[u] = hit_use_storage(use, r->call)->fence;
        }
    }
    return HIT_OK;
}

/* What the logs have of the device's lanes is over when the device has been waited for.
 */
static void note_events(const hit_runner *r)
{
    for (int lane = 0; lane < HIT_LANES; lane++) {
        r->stations->logged[hit_source_of_lane(r->number, (hit_lane)lane)] =
            hit_device_mark(r->device, (hit_lane)lane);
    }
}

/* The superblocks of this phase. */
static void set_phase(const hit_runner *r, const hit_part *part, hit_stream *stream)
{
    const hit_plan *plan = &part->superblocks.plan;

    stream->from = goes_on(r, part) ? plan->early : 0;
    stream->until = r->phase == HIT_PHASE_INNER ? plan->early : plan->pieces;
}

/* What goes in lanes may still be on its way when this returns. */
static hit_status run_streamed(hit_runner *r, hit_part *part)
{
    const bool lanes = hit_stream_in_lanes(&part->superblocks);
    hit_station *station = r->station;
    hit_plan_arg arg[HIT_MAX_ARGS];
    streamed caller = {r, &part->superblocks.plan};
    hit_stream stream; /* not cleared as a whole: it is large */
    hit_status status;

    stream.device = r->device;
    stream.superblocks = &part->superblocks;
    set_phase(r, part, &stream);
    stream.args = hit_call_plan_args(r->call, r->plan->known, NULL, arg);
    stream.arg = arg;
    for (int u = 0; u < r->plan->uses; u++) {
        stream.host[u] = part->claim[u].host;
        arg[u].clip = part->claim[u].need;
        hit_plan_sum_set(&part->superblocks.sum, u, &arg[u]);
    }
    stream.tail = &station->tail;
    stream.run = run_superblock;
    stream.caller = &caller;
    HIT_TRY(set_logs(r, part, &stream));
    if (lanes) station->in_flight = station->arena_in_use = true;
    status = hit_stream_run(&stream);
    part->begun = r->phase == HIT_PHASE_INNER;
    note_events(r);
    station->residents.bytes_in += stream.bytes_in;
    station->residents.bytes_out += stream.bytes_out;
    station->superblocks += (uint64_t)stream.done;
    if (status == HIT_OK && lanes) return HIT_OK;
    if (status == HIT_OK) return hit_station_wait(r->stations, r->number);
    (void)hit_station_wait(r->stations, r->number); /* the caller gets an error */
    return status;
}

/* ---- memory, as much as there is ---- */

/* Everything that the launch needs of the device's memory, before it changes anything.
 * Only what goes in lanes, too, and in the same arena, can follow a launch that does. */
static hit_status reserve(hit_runner *r, const hit_part *part, hit_wish wish[],
                          hit_resident *found[])
{
    const hit_superblocks *superblocks = &part->superblocks;
    const bool fits = superblocks->arena_bytes <= r->device->arena_bytes;

    if (r->station->arena_in_use && !(fits && hit_stream_in_lanes(superblocks))) {
        HIT_TRY(hit_station_wait(r->stations, r->number));
    }
    if (superblocks->arena_bytes > 0) {
        HIT_TRY(hit_runner_clear_device(r, part));
        return fits ? HIT_OK : hit_device_reserve(r->device, superblocks->arena_bytes);
    }
    HIT_TRY(make_wishes(r, part, wish));
    return hit_residents_acquire(&r->station->residents, r->plan->uses, wish, found);
}

/* Plan for half of what could not be had. The failure is that of the first attempt, with
 * what the smallest superblock would have needed. */
static hit_status plan_smaller(hit_runner *r, hit_part *part)
{
    const hit_superblocks *of = &part->superblocks;
    const size_t asked = of->arena_bytes > 0 ? of->arena_bytes : of->plan.peak_bytes;
    char first[600];
    char sum[32];
    char held[200];

    snprintf(first, sizeof(first), "%s", hit_status_text());
    if (hit_call_superblocks(r->call, r->plan->known, r->device, &part->index, asked / 2,
                             &part->superblocks) == HIT_OK) {
        hit_part_defer(r->call, r->plan, part);
        part->rims = false;
        if (!part->replanned) r->station->replans++;
        part->replanned = true;
        return HIT_OK;
    }
    hit_memory_print(asked, sum, sizeof(sum));
    hit_residents_print(&r->station->residents, held, sizeof(held));
    return HIT_FAIL(HIT_E_NOMEM, "kernel %s asked for %s: %s; on the device are %s; %s",
                    r->call->kernel->name, sum, first, held, hit_status_text());
}

static bool waits_for_messages(const hit_runner *r, const hit_part *part)
{
    return r->phase == HIT_PHASE_INNER && hit_part_waits(r->plan, part);
}

hit_status hit_runner_on_device(hit_runner *r, hit_part *part)
{
    hit_resident *found[HIT_MAX_ARGS];
    hit_wish wish[HIT_MAX_ARGS];
    hit_status status;

    for (;;) {
        if (waits_for_messages(r, part)) return HIT_OK;
        status = reserve(r, part, wish, found);
        if (status != HIT_E_NOMEM || goes_on(r, part)) break;
        HIT_TRY(plan_smaller(r, part));
    }
    HIT_TRY(status);
    if (part->superblocks.arena_bytes == 0) return run_resident(r, part, wish, found);
    return run_streamed(r, part);
}
