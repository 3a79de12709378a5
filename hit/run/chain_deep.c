/* SPDX-License-Identifier: MIT
 * Blocks of launches over processes. Launches that repeat are recognised after two
 * periods; then a block begins: what it needs around each part is sent when its first
 * launch is recorded, and all its launches run without further messages, whenever this
 * process runs them. A launch that was not expected ends the block, and so does one on a
 * tile that the program wrote meanwhile: on all processes at the same launch. */
#include "hit/run/chain_deep.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/run/chain_allowed.h"
#include "hit/run/chain_rims.h"
#include "hit/run/chains.h"
#include "hit/run/deep_exchange.h"
#include "hit/run/deep_form.h"
#include "hit/run/deep_home.h"
#include "hit/run/deep_plan.h"
#include "hit/tile/coherence.h"
#include "patterns/kernel_impl.h"
#include "patterns/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- all processes ---- */

static hit_status make_deep(hit_context *context)
{
    hit_chains *chains = hit_chains_of(context->stations, context->launcher);
    hit_deep *made = NULL;

    if (chains == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for chains");
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->context = context;
    made->chains = chains;
    chains->deep = made;
    chains->pass = 0; /* other processes wait for what is in a block */
    return HIT_OK;
}

/* NULL: there is none. */
static hit_deep *deep_of(const hit_context *context)
{
    const hit_chains *chains = context->stations->recorded.block;

    return chains != NULL ? chains->deep : NULL;
}

static bool device_can(const hit_context *context)
{
    const hit_device *device = context->device[0];

    if (context->devices > 1 || device->processor == NULL) return false;
    if (!context->stations->station[0].in_place) return true;
    return device->processor->run_chain != NULL;
}

void hit_chains_agree(hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    uint64_t agreed[] = {HIT_CHAIN_LAUNCHES, !launcher->chain_asked,
                         !hit_chain_rims_run_on(context->device[0])};
    uint64_t *missing = &agreed[0];
    const uint64_t *not_asked = &agreed[1];
    const uint64_t *no_rims = &agreed[2];
    hit_deep *deep;

    if (device_can(context)) *missing -= (uint64_t)launcher->chain_most;
    if (*missing < HIT_CHAIN_LAUNCHES - 1 && make_deep(context) != HIT_OK) {
        *missing = HIT_CHAIN_LAUNCHES;
    }
    if (hit_comm_max_u64(context->comm, agreed, 3) != HIT_OK) {
        *missing = HIT_CHAIN_LAUNCHES;
    }
    deep = deep_of(context);
    if (deep != NULL) deep->rims = *no_rims == 0;
    launcher->chain_most = (int)(HIT_CHAIN_LAUNCHES - *missing);
    /* hit_chain() promises that all write at the same places */
    launcher->chain_room = *not_asked != 0 ? 0 : launcher->chain_most;
    if (launcher->chain_says && launcher->chain_room < 2 && context->rank == 0) {
        printf("no chains over processes: hit_chain() was not called yet\n");
    }
}

/* ---- blocks ---- */

/* The launches that are repeated, twice at least; 0: there are none. */
static int find_period(hit_deep *deep)
{
    const uint64_t n = deep->recorded;

    for (int p = 1; 2 * p <= HIT_DEEP_HISTORY && 2 * (uint64_t)p <= n; p++) {
        int alike = 0;

        while (alike < p && hit_deep_at(deep, n - 1 - (uint64_t)alike)->hash ==
                                hit_deep_at(deep, n - 1 - (uint64_t)(alike + p))->hash) {
            alike++;
        }
        if (alike == p) return p;
    }
    return 0;
}

/* Something else comes between launches that can be in blocks. */
static void interrupt(hit_deep *deep)
{
    deep->now = NULL;
    if (deep->run > 0) deep->last_run = deep->run;
    deep->run = 0;
}

/* Did the program write one of the launch's tiles? */
static bool was_written(hit_deep *deep, const hit_runner *r)
{
    bool written = false;

    for (int u = 0; u < r->plan->uses; u++) {
        hit_storage *storage = r->call->args[r->plan->use[u].arg].tile->storage;
        hit_deep_tile *tile = hit_deep_find(deep, storage->number);

        if (tile == NULL || tile->storage != storage) continue;
        tile->last_used = deep->launches;
        if (tile->looks == storage->looks) continue;
        tile->looks = storage->looks;
        hit_deep_state_forget(&tile->state);
        written = true;
    }
    return written;
}

/* The launch writes, beyond its part as far as @p extra says. */
static void note_writes(hit_deep *deep, const hit_runner *r, const hit_deep_form *form,
                        const hit_margin *extra)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_tile *of = r->call->args[use->arg].tile;
        hit_deep_tile *tile = hit_deep_find(deep, of->storage->number);

        if (tile == NULL || use->mode == HIT_MODE_IN) continue;
        if (form == NULL || form->home) {
            hit_deep_state_forget(&tile->state);
        } else {
            hit_deep_state_write(&tile->state, &form->launch.use[u].cover,
                                 form->launch.use[u].whole, extra);
        }
    }
}

/* How many launches will there be until something else comes between, the last one
 * included, if it comes as it did the time before? */
static uint64_t launches_left(const hit_deep *deep)
{
    return deep->run > deep->last_run ? UINT64_MAX : deep->last_run - deep->run + 1;
}

/* The best block, or a shorter one if its end would not come. */
static hit_deep_plan *find_plan(hit_deep *deep, const hit_runner *r, int period)
{
    const hit_tile *tile = r->call->args[r->plan->use[0].arg].tile;
    const uint64_t first = deep->recorded - 1 - (uint64_t)period;
    const uint64_t left = launches_left(deep);
    const hit_layout *layout = tile->storage->layout;
    const char *kernel = r->call->kernel->name;
    hit_deep_plan *plan;

    if (left < 2) return NULL;
    plan = hit_deep_plan_of(deep, first, period, r->launcher->chain_room, layout, kernel);
    if (plan == NULL || (uint64_t)plan->launches <= left) return plan;
    return hit_deep_plan_of(deep, first, period, (int)left, layout, kernel);
}

/* Begin a block with the last launch, if it and those before it repeat. */
static hit_status begin(hit_deep *deep, const hit_runner *r)
{
    const int period = find_period(deep);
    hit_deep_plan *plan;

    deep->now = NULL;
    if (period == 0) return HIT_OK;
    /* it is sent as it is now, whatever happened: the peers wait for it */
    hit_stations_keep_failure(r->stations, hit_stations_finish_deferred(r->stations));
    plan = find_plan(deep, r, period);
    if (plan == NULL || plan->launches == 0) return HIT_OK;
    HIT_TRY(hit_deep_begin(deep, plan));
    deep->now = plan;
    deep->position = 0;
    return HIT_OK;
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

/* There was no memory to record it: what it depends on has run. */
static hit_status run_at_once(hit_deep *deep, hit_runner *r, const hit_chain_part *part)
{
    for (int u = 0; u < r->plan->uses && !r->station->in_place; u++) {
        const hit_use *use = &r->plan->use[u];

        HIT_TRY(hit_storage_touch(r->call->args[use->arg].tile->storage, 0, part->need[u],
                                  use->mode == HIT_MODE_IN ? HIT_READ : HIT_READ_WRITE));
    }
    for (int u = 0; u < r->plan->uses; u++) {
        hit_rim rim[HIT_RIMS];
        const int count = hit_chain_rims(r, u, part->need[u], rim);

        if (count < 0) {
            return HIT_FAIL(HIT_E_INTERNAL,
                            "kernel %s: what lies beyond tile %s cannot be "
                            "filled in a chain over processes",
                            r->call->kernel->name,
                            r->call->args[r->plan->use[u].arg].tile->storage->name);
        }
        for (int k = 0; k < count; k++) {
            hit_chain_record *one = &deep->chains->record[0];

            hit_chain_rim_record(r, u, &rim[k], one);
            HIT_TRY(run_on_host(r, one->kernel, &one->run));
        }
    }
    hit_runner_set_box(r, part->index);
    return run_on_host(r, r->call->kernel, &r->run);
}

static hit_status record(hit_deep *deep, hit_runner *r, const hit_deep_form *form,
                         const hit_domain *box)
{
    hit_domain need[HIT_MAX_ARGS];
    hit_chain_part part = {.index = box, .begins = true};
    bool taken = false;

    part.indices = (uint64_t)hit_domain_count(box);
    for (int u = 0; u < r->plan->uses; u++) {
        hit_tile *tile = r->call->args[r->plan->use[u].arg].tile;

        const hit_domain around = hit_deep_need(form, u, box);

        need[u] = hit_pattern_cover(form->pattern[u], &form->tile[u], box);
        part.need[u] = &need[u];
        part.loads[u] = true;
        part.piece[u] = 0;
        HIT_TRY(hit_storage_cover(tile->storage, 0, &around));
    }
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_tile *tile = r->call->args[r->plan->use[u].arg].tile;

        hit_runner_set_slot(r, u, &tile->storage->view[0]);
    }
    r->station->superblocks++;
    HIT_TRY(hit_chains_record(deep->chains, r, &part, &taken));
    return taken ? HIT_OK : run_at_once(deep, r, &part);
}

static hit_status record_at_home(hit_deep *deep, hit_runner *r)
{
    hit_chain_part part;
    bool taken = false;

    if (r->plan->parts == 0) return HIT_OK;
    hit_chains_set_part(r, &part);
    part.begins = true;
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_storage *storage = r->call->args[r->plan->use[u].arg].tile->storage;

        hit_runner_set_slot(r, u, &storage->view[part.piece[u]]);
    }
    r->station->superblocks++;
    HIT_TRY(hit_chains_record(deep->chains, r, &part, &taken));
    return taken ? HIT_OK : run_at_once(deep, r, &part);
}

static hit_status record_with_margins(hit_deep *deep, hit_runner *r,
                                      const hit_deep_form *form, const hit_margin *extra)
{
    const hit_tile *first = r->call->args[r->plan->use[0].arg].tile;
    const hit_domain box = hit_deep_indices(form, &first->storage->owned[0], extra);

    return hit_domain_is_empty(&box) ? HIT_OK : record(deep, r, form, &box);
}

static hit_status take(hit_deep *deep, hit_runner *r, const hit_deep_form *form)
{
    const hit_margin *extra = &deep->now->extra[deep->position++];

    if (deep->position == deep->now->launches) deep->now = NULL;
    note_writes(deep, r, form, extra);
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        r->call->args[use->arg].tile->storage->version += use->mode != HIT_MODE_IN;
    }
    r->launcher->chained++;
    return form->home ? record_at_home(deep, r)
                      : record_with_margins(deep, r, form, extra);
}

/* The launch as the history has it; NULL: it can be in no block. */
static hit_deep_form *remember(hit_deep *deep, const hit_runner *r)
{
    hit_deep_form *form = hit_deep_at(deep, deep->recorded);
    char why[400];

    if (!hit_deep_describe(deep, r->call, r->plan, form, why, sizeof(why)) &&
        !hit_deep_describe_home(deep, r->call, r->plan, form)) {
        if (r->plan->runs == 2 && deep->context->rank == 0) {
            hit_chain_say_end(r->launcher, why);
        }
        return NULL;
    }
    deep->recorded++;
    for (int u = 0; u < r->plan->uses; u++) {
        (void)hit_deep_meet(deep, r->call->args[r->plan->use[u].arg].tile->storage);
    }
    return form;
}

/* Does the launch go on with the block? */
static bool is_expected(const hit_deep *deep, const hit_deep_form *form)
{
    if (deep->now == NULL) return false;
    if (deep->now->launches > deep->chains->launcher->chain_room) return false;
    if (deep->now->hash[deep->position] != form->hash) return false;
    return deep->now->exact[deep->position] == 0 ||
           deep->now->exact[deep->position] == form->exact;
}

hit_status hit_chains_take_deep(hit_runner *r, bool *taken)
{
    static const hit_margin none = {0};
    hit_chains *chains = r->stations->recorded.block;
    hit_deep *deep = chains != NULL ? chains->deep : NULL;
    hit_deep_form *form;

    *taken = false;
    if (deep == NULL) return HIT_OK;
    deep->launches++;
    if (was_written(deep, r)) deep->now = NULL;
    form = r->launcher->chain_room >= 2 ? remember(deep, r) : NULL;
    if (form == NULL || (deep->now != NULL && !is_expected(deep, form))) interrupt(deep);
    if (form != NULL) {
        deep->run++;
        if (deep->now == NULL) HIT_TRY(begin(deep, r));
    }
    *taken = deep->now != NULL;
    if (*taken) {
        HIT_TRY(take(deep, r, form));
        return hit_stations_tell_failure(r->stations);
    }
    note_writes(deep, r, form, &none);
    hit_stations_keep_failure(r->stations, hit_stations_run_recorded(r->stations));
    return HIT_OK;
}
