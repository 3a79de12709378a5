/* SPDX-License-Identifier: MIT
 * Blocks of launches through the memories of devices: which launches, and what they take.
 *
 * A launch is recorded only if it can go through the device alone as well, in memory that
 * is there already: so where launches together do not fit, or would move more, each runs
 * alone. One whose tiles all fit the device takes its place meanwhile, and stays there.
 */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/run/chain_pieces.h"

#include <stdlib.h>

enum {
    HALVES = 6 /* of what the device should have, before it has too little */
};

/* ---- the devices ---- */

static hit_status open_pieces(hit_chains *chains, int shares)
{
    const hit_context *context = chains->context;
    int count = 0;

    HIT_TRY(hit_chain_cut_create(shares, &chains->cut));
    HIT_TRY(hit_memory_zeroed((size_t)shares, sizeof(*chains->pieces), &chains->pieces));
    for (int d = 0; d < context->devices && count < shares; d++) {
        hit_chain_pieces *p = &chains->pieces[count];

        if (context->device[d]->spec.spare) continue;
        *p = (hit_chain_pieces){.chains = chains,
                                .device = context->device[d],
                                .number = d,
                                .share = &chains->cut->share[count]};
        if (hit_device_in_place(p->device) &&
            hit_device_with_memory(p->device, &p->own)) {
            p->device = &p->own;
            chains->cut->share[count].host = true;
        }
        chains->cut->weight[count++] = chains->share[d];
    }
    return HIT_OK;
}

/* Those of a simulated machine are the host's device, each with memory of its own. */
static hit_status open_machine(hit_chains *chains, const hit_chain_machine *machine)
{
    const size_t shares = (size_t)machine->devices;

    HIT_TRY(hit_chain_cut_create(machine->devices, &chains->cut));
    HIT_TRY(hit_memory_zeroed(shares, sizeof(*chains->pieces), &chains->pieces));
    for (int k = 0; k < machine->devices; k++) {
        hit_chain_pieces *p = &chains->pieces[k];

        *p = (hit_chain_pieces){
            .chains = chains, .device = &p->own, .share = &chains->cut->share[k]};
        (void)hit_device_with_memory(chains->context->device[0], &p->own);
        chains->cut->share[k].host = machine->bytes[k] == 0;
        if (machine->bytes[k] > 0) p->own.limit_bytes = machine->bytes[k];
    }
    chains->shares_given = true;
    return HIT_OK;
}

hit_status hit_chain_stream_open(hit_chains *chains)
{
    const hit_context *context = chains->context;
    const hit_chain_machine *machine = chains->launcher->chain_machine;
    hit_status status;

    hit_chain_devices_open(chains);
    status = hit_chain_shares_open(chains);
    if (status == HIT_OK && machine != NULL) status = open_machine(chains, machine);
    if (status == HIT_OK && !context->stations->in_place) {
        status =
            open_pieces(chains, hit_device_sharing(context->devices, context->device));
    }
    if (status != HIT_OK) hit_chain_stream_close(chains);
    return status;
}

void hit_chain_stream_close(hit_chains *chains)
{
    for (int k = 0; chains->pieces != NULL && k < chains->cut->shares; k++) {
        hit_chain_pieces_drop_halos(&chains->pieces[k]);
        if (chains->pieces[k].device == &chains->pieces[k].own) {
            hit_device_release_arena(&chains->pieces[k].own);
        }
    }
    free(chains->pieces);
    chains->pieces = NULL;
    hit_chain_cut_destroy(&chains->cut);
    hit_chain_shares_close(chains);
}

static hit_status evict_all(const hit_chains *chains)
{
    for (int k = 0; k < chains->cut->shares; k++) {
        HIT_TRY(hit_residents_evict(
            &hit_chain_pieces_station(&chains->pieces[k])->residents));
    }
    return HIT_OK;
}

hit_status hit_chain_stream_touch(const hit_chains *chains, int storage,
                                  const hit_chain_pieces *but, const hit_domain *box,
                                  hit_intent intent)
{
    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_pieces *p = &chains->pieces[k];
        hit_home *home = &chains->storage[storage]->home[p->number];

        if (p == but) continue;
        if (intent != HIT_WRITE) {
            HIT_TRY(hit_residents_sync(&hit_chain_pieces_station(p)->residents, home, 0,
                                       box));
        }
        if (intent != HIT_READ) HIT_TRY(hit_residents_forget(home, 0, box));
    }
    return HIT_OK;
}

/* ---- which launches ---- */

/* Of any part of them. */
static bool need_is_dense(const hit_launch_plan *plan, int u)
{
    for (int k = 0; k < plan->parts; k++) {
        if (!hit_domain_is_dense(&plan->part[k].claim[u].need)) return false;
    }
    return true;
}

static bool rims_run(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        if (context->device[d]->spec.spare) continue;
        if (!hit_chain_rims_run_on(context->device[d])) return false;
    }
    return true;
}

const char *hit_chain_stream_refused(const hit_call *call, const hit_launch_plan *plan)
{
    if (!hit_domain_is_dense(&call->domain)) return "its domain has strides";
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = call->args[use->arg].tile;

        if (use->piece[0] < 0 || tile->storage->pieces != 1) {
            return "a tile lies in pieces";
        }
        if (!hit_domain_is_dense(&tile->storage->view[0].domain) ||
            !need_is_dense(plan, u)) {
            return "a tile has strides";
        }
        if (use->gather != NULL && !rims_run(call->context)) {
            return "the device cannot fill what lies beyond a boundary";
        }
    }
    return NULL;
}

hit_chain_stream_request hit_chain_stream_request_of(const hit_chains *chains, int first,
                                                     int launches)
{
    const bool async = hit_device_async(chains->pieces[0].device);

    return (hit_chain_stream_request){.chain = &chains->now->chain,
                                      .launch = chains->launch,
                                      .first = first,
                                      .launches = launches,
                                      .alone_bytes = chains->alone_bytes,
                                      .limit_bytes = chains->stream_bytes,
                                      .async = async};
}

static bool is_in_place(const hit_chains *chains, const hit_part *part)
{
    return chains->stations->station[part->device].in_place;
}

/* How many parts of the launch fit their devices. *all: of those whose devices have
 * memories of their own. */
static int fitting_parts(const hit_chains *chains, const hit_launch_plan *plan, int *all)
{
    const hit_chain_machine *machine = chains->launcher->chain_machine;
    int count = 0;

    *all = machine != NULL;
    if (machine != NULL) return hit_launch_plan_touched(plan) <= machine->most_bytes;
    for (int k = 0; k < plan->parts; k++) {
        if (is_in_place(chains, &plan->part[k])) continue;
        count += plan->part[k].superblocks.arena_bytes == 0;
        ++*all;
    }
    return count;
}

/* What a part in place reads and writes, as if that crossed: in a block it does. */
static uint64_t bytes_in_place(const hit_chains *chains, const hit_launch_plan *plan,
                               const hit_part *part)
{
    const hit_chain_launch *launch = chains->launch[chains->count];
    uint64_t bytes = 0;

    for (int u = 0; u < plan->uses; u++) {
        const hit_claim *claim = &part->claim[u];
        const int ways = claim->loads + (plan->use[u].mode != HIT_MODE_IN);

        bytes += (uint64_t)ways * (uint64_t)hit_domain_count(&claim->need) *
                 launch->use[u].size_bytes;
    }
    return bytes;
}

static uint64_t bytes_of(const hit_chains *chains, const hit_launch_plan *plan)
{
    uint64_t bytes = 0;

    for (int k = 0; k < plan->parts; k++) {
        const hit_plan *of = &plan->part[k].superblocks.plan;

        bytes += is_in_place(chains, &plan->part[k])
                     ? bytes_in_place(chains, plan, &plan->part[k])
                     : of->bytes_in + of->bytes_out;
    }
    return bytes;
}

/* Launch number @p l, which fits the devices, runs there alone as if it was not recorded:
 * on a simulated machine, which does not cut it, on one. */
static void set_alone(hit_chains *chains, int l, const hit_launch_plan *plan)
{
    chains->record[l].fits = true;
    for (int k = 0; k < chains->cut->shares; k++) {
        hit_chain_pieces *p = &chains->pieces[k];

        p->alone[l] = hit_domain_empty(plan->domain.dims);
        if (k > 0 && chains->launcher->chain_machine != NULL) continue;
        for (int j = 0; j < plan->parts; j++) {
            if (plan->part[j].device == p->number) p->alone[l] = plan->part[j].index;
        }
    }
}

/* What a launch that fits the devices needs may be there already, and its results may
 * stay: alone it counts as one that moves nothing. */
const char *hit_chain_stream_against(hit_chains *chains, const hit_chain_part *part)
{
    const int n = chains->count;
    const hit_chain_stream_request request = hit_chain_stream_request_of(chains, n, 1);
    const hit_launch_plan *alone = part != NULL ? part->alone : NULL;
    int parts = 0;
    const int fitting = alone != NULL ? fitting_parts(chains, alone, &parts) : 0;
    const char *why = NULL;

    chains->alone_bytes[n] = 0;
    chains->record[n].fits = false;
    if (chains->cut->shares > 1) {
        why = hit_chain_cut_refused(&chains->now->chain, chains->launch, n + 1);
    }
    if (why != NULL) return why;
    if (!hit_chain_cut_plan(chains->cut, &request)) {
        return "the device has no room for a row of what it needs";
    }
    if (part == NULL) return NULL;
    if (fitting > 0) {
        set_alone(chains, n, alone);
        return fitting == parts ? NULL : "its tiles fit some of the devices only";
    }
    chains->alone_bytes[n] = hit_chain_cut_bytes(chains->cut);
    if (alone == NULL || chains->launcher->chain_machine != NULL) return NULL;
    return chains->alone_bytes[n] <= bytes_of(chains, alone)
               ? NULL
               : "in whole rows it would move more bytes";
}

/* What can be had on all devices, beside what is there. */
static size_t room_of(const hit_chains *chains)
{
    size_t least = SIZE_MAX;

    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_device *device = chains->pieces[k].device;
        const size_t bytes =
            device->limit_bytes - (device->used_bytes - device->arena_bytes);

        if (bytes < least) least = bytes;
    }
    return least;
}

/* The host's memory is taken when it is known how much is needed. */
static hit_status reserve(const hit_chains *chains, size_t bytes)
{
    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_pieces *p = &chains->pieces[k];
        const hit_status status =
            hit_chain_pieces_late(p) ? HIT_OK : hit_device_reserve(p->device, bytes);

        if (status == HIT_E_NOMEM) hit_chain_pieces_station(p)->replans++;
        if (status != HIT_OK) return status;
    }
    return HIT_OK;
}

/* Nothing is left on the devices. What the launch overwrites is not saved. */
static hit_status clear_devices(const hit_chains *chains, hit_runner *r,
                                const hit_launch_plan *alone)
{
    const int number = r->number;
    hit_status status = HIT_OK;

    for (int k = 0; k < chains->cut->shares; k++) {
        HIT_TRY(hit_station_wait(chains->stations, chains->pieces[k].number));
    }
    if (alone == NULL) return evict_all(chains);
    for (int k = 0; k < alone->parts; k++) {
        HIT_TRY(hit_part_settle(r->call, alone, &alone->part[k]));
    }
    for (int k = 0; k < alone->parts && status == HIT_OK; k++) {
        hit_runner_set_device(r, alone->part[k].device);
        status = hit_runner_clear_device(r, &alone->part[k]);
    }
    hit_runner_set_device(r, number);
    return status == HIT_OK ? evict_all(chains) : status;
}

hit_status hit_chain_stream_begin(hit_chains *chains, hit_runner *r,
                                  const hit_launch_plan *alone, bool *ready)
{
    size_t bytes = chains->stream_bytes;
    hit_status status;

    *ready = true;
    if (chains->elsewhere || chains->launcher->chain_machine != NULL) {
        /* as if all of its memory could be had */
        chains->stream_bytes = room_of(chains);
        return HIT_OK;
    }
    HIT_TRY(clear_devices(chains, r, alone));
    if (bytes == 0) bytes = room_of(chains);
    status = reserve(chains, bytes);
    for (int k = 0; k < HALVES && status == HIT_E_NOMEM; k++) {
        bytes /= 2;
        status = reserve(chains, bytes);
    }
    *ready = status == HIT_OK;
    if (*ready && bytes != chains->stream_bytes) chains->before = 0; /* it may not fit */
    if (*ready) chains->stream_bytes = bytes;
    return status == HIT_E_NOMEM || status == HIT_E_LIMIT ? HIT_OK : status;
}

static bool has_memory(const hit_chains *chains)
{
    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_pieces *p = &chains->pieces[k];

        if (hit_chain_pieces_station(p)->residents.first != NULL) return false;
        if (!hit_chain_pieces_late(p) && p->device->arena_bytes < chains->stream_bytes) {
            return false;
        }
    }
    return true;
}

/* A device may overwrite rows that others need as they are: all devices together decide.
 */
hit_status hit_chain_stream_take_memory(const hit_chains *chains, int first, int launches)
{
    const hit_chain_stream_request request =
        hit_chain_stream_request_of(chains, first, launches);
    hit_domain fresh[HIT_CHAIN_STORAGES];

    if (has_memory(chains)) return HIT_OK;
    hit_chain_stream_fresh(&request, fresh);
    for (int s = 0; s < chains->storages; s++) {
        if (hit_domain_is_empty(&fresh[s])) continue;
        HIT_TRY(hit_chain_stream_touch(chains, s, NULL, &fresh[s], HIT_WRITE));
    }
    HIT_TRY(evict_all(chains));
    return reserve(chains, chains->stream_bytes);
}

void hit_chain_stream_look_ahead(hit_chains *chains, const hit_runner *r,
                                 const hit_chain_part *part)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (use->mode != HIT_MODE_OUT || part->loads[u]) continue;
        for (int s = 0; s < chains->storages; s++) {
            if (chains->storage[s] != hit_use_storage(use, r->call)) continue;
            chains->dead[s] = *part->need[u]; /* NOLINT: set for all uses */
        }
    }
}
