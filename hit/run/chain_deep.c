/* SPDX-License-Identifier: MIT
 * Blocks of launches over processes. What a block needs around each part is sent when its
 * first launch is recorded, and all its launches run without further messages, whenever
 * this process runs them. */
#include "hit/base/context.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/tile_impl.h"
#include "patterns/kernel_impl.h"

#include <stdio.h>

/* ---- all processes ---- */

static hit_launch_plan *sketch(const hit_call *call, const hit_known_kernel *known)
{
    const hit_chains *chains = call->context->stations->recorded.block;

    return hit_deep_sketch(chains->deep, call, known);
}

/* NULL: there is no memory, or no use for it. */
static hit_deep *make_deep(hit_context *context)
{
    hit_chains *chains;

    if (context->launcher->chain_most < 2) return NULL;
    if (hit_chains_devices_refused(context) != NULL) {
        char text[100];

        (void)snprintf(text, sizeof(text), "every launch: %s",
                       hit_chains_devices_refused(context));
        hit_chain_say_end(context, text);
        return NULL;
    }
    chains = hit_chains_of(context);
    if (chains == NULL || hit_deep_create(context, &chains->deep) != HIT_OK) return NULL;
    context->launcher->sketch = sketch;
    chains->pass = 0; /* other processes wait for what is in a block */
    return chains->deep;
}

bool hit_chains_need_halos(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const hit_launcher *launcher = context->launcher;

    if (launcher->chain_around || launcher->chain_room < 2) return false;
    if (hit_chains_devices_refused(context) != NULL) return false;
    if (!context->stations->in_place || plan->pieces == 0) return false;
    if (!hit_chains_may_begin(context, plan)) return false;
    if (hit_deep_refused(call, plan) != NULL) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;
        const hit_domain *need = &plan->use[u].need[0];
        const unsigned periodic = hit_deep_periodic(tile);

        for (int c = 0; c < tile->domain.dims && plan->use[u].gather != NULL; c++) {
            if ((periodic >> c & 1u) == 0) continue;
            if (!hit_sig_inside(need->sig[c], tile->domain.sig[c])) return true;
        }
    }
    return false;
}

void hit_chains_open_around(hit_context *context)
{
    hit_deep *deep = make_deep(context);

    if (deep == NULL && context->size == 1) return; /* the next plan asks again */
    context->launcher->chain_around = true;
    hit_chains_agree(context, deep);
}

/* May another device run a launch, which takes none of the others? */
static bool has_spare(const hit_context *context)
{
    return hit_device_sharing(context->devices, context->device) < context->devices;
}

void hit_chains_agree(hit_context *context, hit_deep *deep)
{
    hit_launcher *launcher = context->launcher;
    uint64_t agreed[] = {HIT_CHAIN_LAUNCHES,
                         context->size > 1 && !launcher->chain_asked,
                         !hit_chain_rims_run_on(context->device[0]),
                         !context->stations->in_place,
                         has_spare(context),
                         !hit_stations_in_place(context->stations)};
    uint64_t *missing = &agreed[0];
    const uint64_t *not_asked = &agreed[1];
    const uint64_t *no_rims = &agreed[2];
    const uint64_t *staged = &agreed[3];
    const uint64_t *spares = &agreed[4];

    if (deep != NULL) *missing -= (uint64_t)launcher->chain_most;
    if (hit_comm_max_u64(context->comm, agreed, 6) != HIT_OK) {
        *missing = HIT_CHAIN_LAUNCHES;
    } else if (context->size > 1 && !hit_comm_is_planned(context->comm)) {
        launcher->moves = agreed[5] == 0;
    }
    if (deep != NULL) {
        deep->rims = *no_rims == 0;
        deep->in_place = *staged == 0;
    }
    launcher->chain_both = *spares > 0;
    launcher->chain_most = (int)(HIT_CHAIN_LAUNCHES - *missing);
    /* hit_chain() promises that all write at the same places */
    if (launcher->chain_room > launcher->chain_most) {
        launcher->chain_room = launcher->chain_most;
    }
    if (*not_asked != 0) launcher->chain_room = 0;
    launcher->promise = *not_asked == 0 ? ++launcher->promises : 0;
}

/* ---- a launch of a block ---- */

/* On the tiles' own memory, whatever the device is. */
static hit_status run_on_host(const hit_runner *r, const hit_kernel *kernel,
                              const hit_run *run)
{
    if (r->station->in_place) return hit_device_run(r->device, kernel, run, NULL);
    if (kernel->host == NULL) {
        return HIT_FAIL(HIT_E_NOMEM,
                        "kernel %s: the device has no memory for a chain over processes, "
                        "and the host cannot run it",
                        kernel->name);
    }
    return hit_kernel_call(kernel, kernel->host, run);
}

static hit_status run_rim(const hit_runner *r, int use, const hit_rim *rim)
{
    hit_chain_launch launch;
    hit_run run;
    hit_chain_rim_value value;
    hit_chain_record one = {.launch = &launch, .run = &run, .value = &value};

    hit_chain_rim_set(&one, r, use, rim);
    return run_on_host(r, one.kernel, one.run);
}

/* There was no memory to record it: what it depends on has run. */
static hit_status run_at_once(hit_runner *r, const hit_chain_part *part)
{
    for (int u = 0; u < r->plan->uses && !r->stations->in_place; u++) {
        const hit_use *use = &r->plan->use[u];

        HIT_TRY(hit_storage_touch(hit_use_storage(use, r->call), 0, part->need[u],
                                  use->mode == HIT_MODE_IN ? HIT_READ : HIT_READ_WRITE));
    }
    for (int u = 0; u < r->plan->uses; u++) {
        hit_rim rim[HIT_RIMS];
        const int count = hit_chain_rims(r, u, part->need[u], part->periodic, rim);

        if (count < 0) {
            return HIT_FAIL(HIT_E_INTERNAL,
                            "kernel %s: what lies beyond tile %s cannot be "
                            "filled in a chain over processes",
                            r->call->kernel->name,
                            r->call->args[r->plan->use[u].arg].tile->storage->name);
        }
        for (int k = 0; k < count; k++) {
            HIT_TRY(run_rim(r, u, &rim[k]));
        }
    }
    hit_runner_set_box(r, part->index);
    if (part->move != NULL) hit_chain_record_move(r->call, r->plan, part->move, &r->run);
    hit_runner_forget_slots(r); /* which may have been moved */
    return run_on_host(r, r->call->kernel, &r->run);
}

/* An equal call begins with what is set here, unless the program may look meanwhile, who
 * finds elements elsewhere. */
static hit_status set_slots(hit_runner *r, const hit_chain_part *part)
{
    bool adopted = false;

    for (int u = 0; u < r->plan->uses; u++) {
        hit_storage *storage = r->call->args[r->plan->use[u].arg].tile->storage;

        if (storage->adopted != NULL) {
            HIT_TRY(hit_storage_cover(storage, 0, part->need[u]));
            adopted = true;
        }
        hit_runner_set_slot(r, u, &storage->view[0]);
    }
    if (!adopted) hit_runner_keep_slots(r);
    return HIT_OK;
}

static bool has_slots(const hit_runner *r)
{
    return r->known != NULL && r->known->ready == r->stations->grown;
}

static hit_status hand_over(hit_chains *chains, hit_runner *r, const hit_chain_part *part)
{
    bool taken = false;

    if (!has_slots(r)) HIT_TRY(set_slots(r, part));
    HIT_TRY(hit_chains_record(chains, r, part, &taken));
    return taken ? HIT_OK : run_at_once(r, part);
}

/* As in the block before. */
static hit_status repeat(hit_chains *chains, hit_runner *r, const hit_domain *index,
                         bool *taken)
{
    *taken = false;
    if (!has_slots(r)) return HIT_OK;
    return hit_chains_repeat(chains, r, index, taken);
}

static hit_status cover(const hit_runner *r, const hit_deep_form *form,
                        const hit_domain *box)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_domain around = hit_deep_need(form, u, box);

        HIT_TRY(hit_storage_cover(r->call->args[r->plan->use[u].arg].tile->storage, 0,
                                  &around));
    }
    return HIT_OK;
}

hit_chain_part hit_chain_part_around(const hit_deep_form *form, const hit_domain box[],
                                     const hit_index move[])
{
    hit_chain_part part = {.index = &box[0],
                           .begins = true,
                           .indices = (uint64_t)hit_domain_count(&box[0]),
                           .move = move,
                           .periodic = hit_deep_repeats(form)};

    for (int u = 0; u < form->launch->uses; u++) {
        part.need[u] = &box[1 + u];
        part.loads[u] = !hit_deep_overwrites(form, u);
    }
    return part;
}

hit_chain_part hit_chain_part_of_plan(const hit_call *call, const hit_launch_plan *plan)
{
    hit_chain_part part = {
        .index = &plan->index[0], .begins = true, .indices = plan->indices};

    for (int u = 0; u < plan->uses; u++) {
        part.need[u] = &plan->use[u].need[0];
        part.loads[u] = hit_use_loads(&plan->use[u], call, plan->known, part.index);
    }
    return part;
}

/* What other launches of the block need is on the host: it does not stay on a device. */
static hit_status record_at_home(hit_chains *chains, hit_runner *r)
{
    hit_chain_part part;
    bool taken;

    if (r->plan->pieces == 0) return HIT_OK;
    HIT_TRY(repeat(chains, r, &r->plan->index[0], &taken));
    if (taken) return HIT_OK;
    part = hit_chain_part_of_plan(r->call, r->plan);
    return hand_over(chains, r, &part);
}

/* The indices of a part and around it, and their copies beyond periodic boundaries. */
static hit_status record_with_margins(hit_chains *chains, hit_runner *r,
                                      const hit_deep_turn *turn)
{
    const hit_tile *first = r->call->args[r->plan->use[0].arg].tile;
    const hit_deep_form *form = turn->form;
    const bool once = turn->block->periodic == 0;
    hit_index move[HIT_MAX_DIMS] = {0};
    bool again = false;

    for (int k = 0; once ? k == 0 : hit_deep_move(form, k, move); k++) {
        hit_domain made[1 + HIT_MAX_ARGS];
        const hit_domain *box = k == 0 ? turn->reached : NULL;
        hit_chain_part part;
        bool taken;

        if (box == NULL) {
            hit_deep_reached(form, &first->storage->owned[0], turn->extra, move, made);
            box = made;
        }
        if (hit_domain_is_empty(&box[0])) continue;
        HIT_TRY(repeat(chains, r, &box[0], &taken));
        if (!taken) {
            if (turn->reached == NULL) HIT_TRY(cover(r, form, &box[0]));
            part = hit_chain_part_around(form, box, move);
            part.again = again;
            HIT_TRY(hand_over(chains, r, &part));
        }
        again = true;
    }
    return HIT_OK;
}

/* The shares of the devices. A sketch has none: then one of each. */
static uint64_t shares_of(const hit_runner *r)
{
    const hit_launch_plan *plan = r->plan;
    const uint64_t devices = (uint64_t)r->stations->count;

    if (plan->parts > 0 || plan->pieces == 0) return (uint64_t)plan->parts;
    return plan->indices < devices ? plan->indices : devices;
}

static hit_status take(hit_chains *chains, hit_runner *r, const hit_deep_turn *turn)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        hit_storage *storage = hit_use_storage(use, r->call);

        storage->version += use->mode != HIT_MODE_IN;
        hit_storage_drop_constants(storage); /* margins may lie beyond boundaries */
    }
    r->launcher->chained++;
    /* margins and copies beyond a boundary are none of their own, and pieces of a stream
     * are counted when it runs */
    if (r->stations->in_place) r->station->superblocks += shares_of(r);
    HIT_TRY(hit_launch_plan_finish(r->plan, r->call));
    if (r->stations->lost) HIT_TRY(hit_launch_plan_check_lost(r->plan, r->call));
    HIT_TRY(turn->form->home ? record_at_home(chains, r)
                             : record_with_margins(chains, r, turn));
    if (r->stations->lost) hit_launch_plan_restore(r->plan, r->call);
    return HIT_OK;
}

hit_status hit_chains_take_deep(hit_runner *r, bool *taken)
{
    hit_chains *chains = r->stations->recorded.block;
    hit_deep_turn turn;

    *taken = false;
    if (chains == NULL || chains->deep == NULL) return HIT_OK;
    /* a comparison that a call without a status heard of: others send nothing more */
    if (r->stations->failed.status == HIT_E_COMM) {
        return hit_stations_tell_failure(r->stations);
    }
    HIT_TRY(hit_deep_next(chains->deep, r->call, r->plan, &turn));
    if (turn.begins) {
        /* it is sent as it is now, whatever happened: the peers wait for it */
        hit_stations_keep_failure(r->stations, hit_tasks_wait_all(r->stations->tasks));
        hit_stations_keep_failure(r->stations, hit_stations_run_recorded(r->stations));
        HIT_TRY(hit_deep_begin(chains->deep, turn.block));
    }
    *taken = turn.block != NULL;
    if (*taken) {
        const hit_status status = take(chains, r, &turn);

        if (status != HIT_OK) hit_launch_plan_lose(r->plan, r->call, status);
        return status != HIT_OK ? status : hit_stations_tell_failure(r->stations);
    }
    hit_stations_keep_failure(r->stations, hit_stations_run_recorded(r->stations));
    return HIT_OK;
}
