/* SPDX-License-Identifier: MIT
 * The parts of a launch: one device after its parts, several at the same time. What they
 * add up begins with the identity; devices that add to the same elements get buffers of
 * their own. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/run/chains.h"
#include "patterns/reduce.h"

/* ---- sums ---- */

/* In a buffer of the launch, or where the tile itself has the result. */
static hit_status start_reduction(const hit_runner *r, const hit_use *use)
{
    const hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
    const hit_tile *tile = r->call->args[use->arg].tile;

    for (int k = 0; k < r->plan->pieces; k++) {
        const int own = use->piece[k];
        char identity[HIT_MAX_NUMBER_BYTES];

        if (tile->storage->reserves) continue; /* a dry run changes no element */
        if (own < 0) {
            HIT_TRY(hit_reduce_identity(how, use->user[k].data,
                                        hit_domain_count(&use->need[k])));
            continue;
        }
        HIT_TRY(hit_reduce_identity(how, identity, 1));
        hit_view_fill(&tile->storage->view[tile->piece[own]], &use->need[k], identity);
    }
    return HIT_OK;
}

/* Are there elements to add to? Not in a dry run. */
static bool adds(const hit_runner *r, const hit_use *use, const hit_claim *claim)
{
    return claim->partial && !hit_use_storage(use, r->call)->reserves;
}

/* Buffers for what several devices add to, each its own. */
static hit_status start_partials(const hit_runner *r)
{
    for (int k = 0; k < r->plan->parts && r->plan->partials; k++) {
        for (int u = 0; u < r->plan->uses; u++) {
            const hit_use *use = &r->plan->use[u];
            const hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
            hit_claim *claim = &r->plan->part[k].claim[u];

            if (!claim->partial) continue;
            claim->own = hit_view_make(&claim->need, how.type.size_bytes,
                                       r->launcher->scratch + claim->offset_bytes);
            if (!adds(r, use, claim)) continue;
            HIT_TRY(hit_reduce_identity(how, claim->own.data,
                                        hit_domain_count(&claim->need)));
        }
    }
    return HIT_OK;
}

hit_status hit_runner_start_sums(const hit_runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (hit_mode_reduces(use->mode)) HIT_TRY(start_reduction(r, use));
    }
    return start_partials(r);
}

hit_status hit_runner_end_sums(const hit_runner *r)
{
    if (r->phase == HIT_PHASE_INNER) return HIT_OK; /* the rest is to come */
    for (int k = 0; k < r->plan->parts && r->plan->partials; k++) {
        const hit_part *part = &r->plan->part[k];

        for (int u = 0; u < r->plan->uses; u++) {
            const hit_use *use = &r->plan->use[u];
            const hit_claim *claim = &part->claim[u];

            if (!adds(r, use, claim)) continue;
            HIT_TRY(hit_reduce_combine(hit_reducer_of(r->call->kernel, use->arg),
                                       &use->user[part->piece], &claim->own,
                                       &claim->need));
        }
    }
    return HIT_OK;
}

/* ---- parts ---- */

/* May the launch return while the device is at work? Then nothing reads what it writes,
 * or writes what it reads, before hit_settle(). */
static bool may_leave(const hit_runner *r)
{
    if (!r->plan->stays) return false;
    if (r->plan->shares != NULL) return false; /* the time is wanted */
    if (r->station->arena_in_use) {
        const hit_context *context = r->call->context;

        return hit_device_sharing(context->devices, context->device) == 1;
    }
    return hit_device_async(r->device);
}

/* May the device have something to do? */
static bool is_at_work(const hit_runner *r)
{
    return r->station->in_flight || r->station->arena_in_use ||
           hit_device_async(r->device);
}

/* Is it the only device of the launch that may be recorded? Several do that together. */
static bool records_alone(const hit_runner *r)
{
    const hit_context *context = r->call->context;

    return r->plan->records && hit_device_sharing(context->devices, context->device) == 1;
}

hit_status hit_runner_at_home(hit_runner *r, const hit_part *part)
{
    r->station->superblocks++;
    HIT_TRY(hit_runner_defer(r));
    return r->left ? HIT_OK : hit_runner_box(r, &part->index);
}

static hit_status run_part(hit_runner *r, hit_part *part, bool in_place)
{
    bool taken = false;

    if (in_place) {
        hit_runner_set_slots(r, part);
        return r->phase == HIT_PHASE_ALL && r->stations->count == 1
                   ? hit_runner_at_home(r, part)
                   : hit_runner_in_place(r, part);
    }
    if (records_alone(r)) {
        if (hit_chains_want(r->call, r->plan)) {
            hit_runner_set_slots(r, part);
            HIT_TRY(hit_chains_take_launch(r, &taken));
        }
        if (taken) return HIT_OK;
        if (r->plan->gathers) HIT_TRY(hit_runner_begin_gathers(r));
    }
    return hit_runner_on_device(r, part);
}

/* All parts of the runner's device. */
static hit_status run_parts(hit_runner *r)
{
    const bool in_place = r->station->in_place;
    hit_status status = HIT_OK;

    for (int k = 0; k < r->plan->parts && status == HIT_OK; k++) {
        hit_part *part = &r->plan->part[k];

        if (part->device != r->number) continue;
        status = run_part(r, part, in_place);
    }
    if (status != HIT_OK) return status;
    if (!may_leave(r)) {
        return is_at_work(r) ? hit_station_wait(r->stations, r->number) : HIT_OK;
    }
    r->left = true;
    r->station->in_flight = true;
    return HIT_OK;
}

/* On the thread of device number @p number. */
static hit_status run_device(void *argument, int number)
{
    hit_runner r = *(const hit_runner *)argument;
    hit_status status;
    double start;

    hit_runner_set_device(&r, number);
    start = hit_clock_now(&r.call->context->clock);
    status = run_parts(&r);
    if (r.phase != HIT_PHASE_BORDER) r.station->run_s = 0;
    r.station->run_s += hit_clock_now(&r.call->context->clock) - start;
    return status;
}

/* What one device needs and another one has is sent to the host, and what one will write
 * is forgotten elsewhere: then they can run at the same time. */
static hit_status run_shared(hit_runner *r)
{
    hit_parts_claim(r->plan, r->call);
    for (int k = 0; k < r->plan->parts && r->phase != HIT_PHASE_BORDER; k++) {
        HIT_TRY(hit_part_settle(r->call, r->plan, &r->plan->part[k]));
    }
    HIT_TRY(r->plan->shared ? hit_crew_run(r->call->context->crew, run_device, r)
                            : run_device(r, 0));
    return hit_runner_end_sums(r);
}

hit_status hit_runner_on_devices(hit_runner *r)
{
    r->left = false;
    HIT_TRY(hit_runner_defer(r));
    if (r->left) {
        /* else when its pieces run */
        if (r->stations->in_place) r->station->superblocks += (uint64_t)r->plan->parts;
        return HIT_OK;
    }
    /* at home nobody did, on one process; on several, boxes lie where they are held */
    if (r->call->context->size == 1) HIT_TRY(hit_launch_plan_refresh(r->plan, r->call));
    return run_shared(r);
}

/* Does one device run it, beside which no other has elements in a memory of its own? One
 * that works in place takes the way of several, on which launches are recorded. */
static bool is_alone(const hit_runner *r)
{
    const hit_context *context = r->call->context;

    if (r->stations->count == 1) return true;
    return !r->plan->shared && !r->station->in_place &&
           hit_device_sharing(context->devices, context->device) == 1;
}

/* Is a scheduler to be asked? One that comes at need may not be there now. What joins a
 * chain is no task then, as in place. */
static bool asks_scheduler(const hit_runner *r)
{
    hit_stations *stations = r->stations;
    const hit_launch_plan *plan = r->plan;

    if (stations->keeper.self != NULL) return true;
    if (stations->keeper.place == NULL) return false;
    if (plan->narrow ? !hit_chains_want(r->call, plan)
                     : plan->places && stations->narrow.launches > 0) {
        return true;
    }
    if (plan->pieces > 0) stations->narrow.launches = 0;
    return false;
}

/* What a chain refuses runs on real devices as ever; on a simulated machine the only
 * other place is that of a task. */
static hit_status place(hit_runner *r)
{
    const bool wanted =
        r->launcher->chain_machine != NULL && hit_chains_want(r->call, r->plan);

    HIT_TRY(hit_submit_placed(r, &r->left));
    if (r->left || !wanted) return HIT_OK;
    hit_runner_set_slots(r, &r->plan->part[0]);
    HIT_TRY(hit_chains_take_launch(r, &r->left));
    r->station->superblocks += r->left;
    return r->left ? HIT_OK : hit_submit_placed(r, &r->left);
}

hit_status hit_runner_parts(hit_runner *r)
{
    if (asks_scheduler(r)) {
        HIT_TRY(place(r));
        if (r->left) return HIT_OK;
    }
    if (is_alone(r)) return run_parts(r);
    if (r->plan->waits || r->plan->records) hit_runner_set_slots(r, &r->plan->part[0]);
    return hit_runner_on_devices(r);
}
