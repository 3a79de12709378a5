/* SPDX-License-Identifier: MIT
 * Blocks of launches through the memory of a device: as many at a time as move the fewest
 * bytes.
 *
 * A launch is recorded only if it can go through the device alone as well, in memory that
 * is there already: so where launches together do not fit, or would move more, each runs
 * alone. One whose tiles all fit the device takes its place meanwhile, and stays there.
 */
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/data/domain_set.h"
#include "hit/run/chain_pieces.h"
#include "hit/run/run_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"

#include <stdio.h>

enum {
    HALVES = 6 /* of what the device should have, before it has too little */
};

/* ---- which launches ---- */

const char *hit_chain_stream_refused(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_device *device = call->context->device[0];

    if (!hit_domain_is_dense(&call->domain)) return "its domain has strides";
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = call->args[use->arg].tile;

        if (use->piece[0] < 0 || tile->storage->pieces != 1) {
            return "a tile lies in pieces";
        }
        if (!hit_domain_is_dense(&tile->storage->view[0].domain) ||
            !hit_domain_is_dense(&plan->part[0].claim[u].need)) {
            return "a tile has strides";
        }
        if (use->gather != NULL && !hit_chain_rims_run_on(device)) {
            return "the device cannot fill what lies beyond a boundary";
        }
    }
    return NULL;
}

static hit_chain_stream_request request_of(const hit_chains *chains, int first,
                                           int launches)
{
    const bool async = hit_device_async(chains->stations->station[0].device);

    return (hit_chain_stream_request){.chain = &chains->now->chain,
                                      .launch = chains->launch,
                                      .first = first,
                                      .launches = launches,
                                      .alone_bytes = chains->alone_bytes,
                                      .limit_bytes = chains->stream_bytes,
                                      .kept_cost = hit_chain_kept_cost(async)};
}

/* What a launch that fits the device needs may be there already, and its results may
 * stay: alone it counts as one that moves nothing. */
const char *hit_chain_stream_against(hit_chains *chains, const hit_chain_part *part)
{
    const int n = chains->count;
    const hit_chain_stream_request request = request_of(chains, n, 1);
    const hit_superblocks *superblocks;
    hit_chain_stream alone;

    chains->alone_bytes[n] = 0;
    chains->record[n].fits = false;
    if (!hit_chain_stream_plan(&request, &alone)) {
        return "the device has no room for a row of what it needs";
    }
    if (part == NULL) return NULL;
    superblocks = part->superblocks;
    chains->record[n].fits = superblocks != NULL && superblocks->arena_bytes == 0;
    if (chains->record[n].fits) return NULL;
    chains->alone_bytes[n] = alone.bytes_in + alone.bytes_out;
    if (superblocks == NULL) return NULL;
    return chains->alone_bytes[n] <=
                   superblocks->plan.bytes_in + superblocks->plan.bytes_out
               ? NULL
               : "in whole rows it would move more bytes";
}

hit_status hit_chain_stream_begin(hit_chains *chains, hit_runner *r,
                                  const hit_chain_part *part, bool *ready)
{
    hit_device *device = r->device;
    size_t bytes = chains->stream_bytes;
    hit_status status;

    *ready = true;
    if (chains->tell != NULL) { /* as if all of its memory could be had */
        chains->stream_bytes = device->limit_bytes;
        return HIT_OK;
    }
    HIT_TRY(hit_station_wait(chains->stations, 0));
    if (part->superblocks != NULL) {
        HIT_TRY(hit_runner_clear_device(r, &r->plan->part[0]));
    } else {
        HIT_TRY(hit_residents_evict(&r->station->residents));
    }
    if (bytes == 0) {
        bytes = device->limit_bytes - (device->used_bytes - device->arena_bytes);
    }
    status = hit_device_reserve(device, bytes);
    if (status == HIT_E_NOMEM) r->station->replans++;
    for (int k = 0; k < HALVES && status == HIT_E_NOMEM; k++) {
        bytes /= 2;
        status = hit_device_reserve(device, bytes);
    }
    *ready = status == HIT_OK;
    if (*ready) chains->stream_bytes = bytes;
    return status == HIT_E_NOMEM || status == HIT_E_LIMIT ? HIT_OK : status;
}

void hit_chain_stream_look_ahead(hit_chains *chains, const hit_call *call,
                                 const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_claim *claim = &plan->part[0].claim[u];

        if (use->mode != HIT_MODE_OUT || claim->loads) continue;
        for (int s = 0; s < chains->storages; s++) {
            if (chains->storage[s] != call->args[use->arg].tile->storage) continue;
            chains->dead[s] = claim->need;
        }
    }
}

/* ---- some of the recorded launches ---- */

/* The memory for pieces, if another launch of the block took it. What the pieces
 * overwrite is not saved. */
static hit_status take_memory(const hit_chain_pieces *p)
{
    const hit_chains *chains = p->chains;
    hit_residents *all = &chains->stations->station[0].residents;

    if (all->first == NULL && p->device->arena_bytes >= chains->stream_bytes) {
        return HIT_OK;
    }
    for (int s = 0; s < chains->storages; s++) {
        const hit_chain_band *of = &p->plan.band[s];

        if (!of->used || hit_domain_is_empty(&of->fresh)) continue;
        HIT_TRY(hit_residents_forget(&chains->storage[s]->home[0], 0, &of->fresh));
    }
    HIT_TRY(hit_residents_evict(all));
    return hit_device_reserve(p->device, chains->stream_bytes);
}

/* What the pieces would move, and how long, in a dry run. */
static hit_status tell_group(hit_chain_pieces *p, int count)
{
    hit_chains *chains = p->chains;
    hit_chain_told *told = &chains->told;
    hit_chain_moved *moved = p->plan.launches > 1 ? &told->together : &told->alone;
    hit_forecast time;

    moved->bytes_in += p->plan.bytes_in;
    moved->bytes_out += p->plan.bytes_out;
    moved->pieces += (uint64_t)p->plan.pieces;
    HIT_TRY(chains->time(chains->tell_of, p, count, &time));
    told->time = hit_forecast_add(told->time, time);
    return HIT_OK;
}

static hit_status run_group(hit_chain_pieces *p, int count)
{
    hit_stations *stations = p->chains->stations;
    hit_station *station = &stations->station[0];
    hit_status status;
    hit_status waited;

    if (p->plan.launches > 1) {
        hit_chain_block_count(p->chains, p->plan.first, p->plan.launches);
    }
    if (p->chains->tell != NULL) return tell_group(p, count);
    HIT_TRY(take_memory(p));
    for (int s = 0; s < p->chains->storages; s++) {
        p->host[s] = &p->chains->storage[s]->view[0];
    }
    status = hit_chain_pieces_run(p, count);
    waited = hit_station_wait(stations, 0);
    station->residents.bytes_in += p->bytes_in;
    station->residents.bytes_out += p->bytes_out;
    station->superblocks += (uint64_t)p->plan.pieces;
    return status != HIT_OK ? status : waited;
}

/* Plan @p launches launches from number @p first on. False: they do not fit, or each
 * alone would move less. */
static bool plan_group(hit_chain_pieces *p, int first, int launches, int count)
{
    hit_chains *chains = p->chains;
    hit_chain_stream_request request = request_of(chains, first, launches);

    request.dead = chains->dead;
    return hit_chain_stream_plan_group(&request, count, &p->plan);
}

static void describe(const hit_chain_pieces *p, char *text, size_t size)
{
    char memory[32];

    hit_memory_print(p->plan.memory_bytes, memory, sizeof(memory));
    (void)snprintf(text, size,
                   "%d launches at a time, in %lld pieces of %lld rows, %s of the "
                   "device's memory",
                   p->plan.launches, (long long)p->plan.pieces, (long long)p->plan.height,
                   memory);
}

/* Once for each way to run a block, wherever its launches are. */
static void say(hit_chain_pieces *p, int count)
{
    hit_chains *chains = p->chains;
    char text[200];

    if (chains->tell != NULL) describe(p, chains->told.how, sizeof(chains->told.how));
    if (!chains->launcher->chain_says || chains->context->rank != 0) return;
    if (chains->said == chains->forms[count - 1]) return;
    chains->said = chains->forms[count - 1];
    describe(p, text, sizeof(text));
    hit_say(hit_context_reports(chains->context),
            "chain from kernel %s on: %s: %llu bytes in and %llu out\n",
            chains->record[0].kernel->name, text, (unsigned long long)p->plan.bytes_in,
            (unsigned long long)p->plan.bytes_out);
}

/* What fills a rim alone can as well do that on the host, where nearly all elements are.
 */
static hit_status run_rim(const hit_chains *chains, const hit_chain_record *one)
{
    for (int u = 0; u < one->launch.uses; u++) {
        const hit_chain_use *use = &one->launch.use[u];
        hit_home *home = &chains->storage[use->storage]->home[0];

        HIT_TRY(use->writes ? hit_residents_forget(home, 0, &use->cover)
                            : hit_residents_sync(&chains->stations->station[0].residents,
                                                 home, 0, &use->cover));
    }
    return hit_kernel_call(one->kernel, one->kernel->host, &one->run);
}

/* A launch that fits, alone: as launches that are not recorded. */
static hit_status run_resident(hit_chains *chains, const hit_chain_record *one)
{
    hit_station *station = &chains->stations->station[0];
    hit_resident *found[HIT_MAX_ARGS];
    hit_wish wish[HIT_MAX_ARGS];
    hit_status ran;
    hit_status noted;
    hit_run run;

    for (int u = 0; u < one->launch.uses; u++) {
        const hit_chain_use *use = &one->launch.use[u];
        hit_storage *storage = chains->storage[use->storage];

        wish[u] = (hit_wish){.home = &storage->home[0],
                             .load = !use->overwrites,
                             .writes = use->writes,
                             .host = &storage->view[0],
                             .need = use->cover,
                             .box = use->cover};
    }
    HIT_TRY(hit_residents_acquire(&station->residents, one->launch.uses, wish, found));
    hit_run_copy(&run, &one->run, one->kernel->args);
    run.elements = 0; /* they lie elsewhere */
    for (int u = 0; u < one->launch.uses; u++) {
        hit_run_set_slot(&run, one->arg[u], &found[u]->view, &one->launch.use[u].tile,
                         true);
    }
    station->superblocks++;
    ran = hit_device_run(station->device, one->kernel, &run, NULL);
    noted = hit_residents_release(&station->residents, one->launch.uses, wish, found);
    if (ran != HIT_OK || noted != HIT_OK) return ran != HIT_OK ? ran : noted;
    return hit_station_wait(chains->stations, 0);
}

/* Launch number @p l of the block, alone. */
static hit_status run_alone(hit_chain_pieces *p, int l, int count)
{
    const hit_chain_record *one = &p->chains->record[l];

    if (p->chains->tell != NULL && (one->indices == 0 || one->fits)) return HIT_OK;
    if (one->indices == 0) return run_rim(p->chains, one);
    if (one->fits) return run_resident(p->chains, one);
    if (!plan_group(p, l, 1, count)) {
        return HIT_FAIL(HIT_E_INTERNAL, "kernel %s does not fit its device",
                        one->kernel->name);
    }
    return run_group(p, count);
}

hit_status hit_chain_stream_run(hit_chains *chains, int count)
{
    const hit_chain_stream_request all = request_of(chains, 0, count);
    const int most = hit_chain_stream_group(&all, chains->period);
    hit_chain_pieces *p = chains->pieces;
    int launches;

    p->chains = chains;
    p->device = chains->stations->station[0].device;
    chains->idle = most < 2 && count == chains->wanted;
    for (int first = 0; first < count; first += launches) {
        launches = count - first < most ? count - first : most;
        if (launches < 2 || !plan_group(p, first, launches, count)) {
            launches = 1;
            HIT_TRY(run_alone(p, first, count));
        } else {
            if (first == 0) say(p, count);
            HIT_TRY(run_group(p, count));
        }
    }
    return HIT_OK;
}
