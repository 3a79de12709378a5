/* SPDX-License-Identifier: MIT
 * The code of real runs counts what a dry run foretells: of this process, and of those
 * that are not here, each of which has a context of its own. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"
#include "hit/run/live.h"
#include "hit/tile/station.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>

static void close_peer(hit_context *as)
{
    if (as == NULL) return;
    if (as->launcher != NULL || as->stations != NULL) hit_launcher_destroy(as);
    for (int d = 0; d < as->devices; d++) {
        free(as->device[d]); /* a copy */
        as->device[d] = NULL;
    }
}

/* Devices count for each of them. */
static hit_status open_peer(const hit_context *context, int rank, hit_context *as)
{
    *as = *context;
    as->rank = rank;
    as->execution = NULL;
    as->stations = NULL;
    as->launcher = NULL;
    as->footprint = NULL;
    as->trace = NULL;
    as->disk = NULL;
    as->costs = NULL;
    for (int d = 0; d < context->devices; d++) {
        as->device[d] = NULL;
    }
    for (int d = 0; d < context->devices; d++) {
        HIT_TRY(hit_memory_zeroed(1, sizeof(hit_device), &as->device[d]));
        *as->device[d] = *context->device[d];
    }
    return hit_launcher_create(as);
}

static void close_peers(hit_tile_peers **peers)
{
    for (int k = 0; *peers != NULL && k < (*peers)->count; k++) {
        close_peer((*peers)->as[k]);
    }
    hit_tile_peers_release(peers);
}

static hit_status open_peers(const hit_context *context, hit_tile_peers **peers)
{
    const bool all_here = context->size == hit_comm_present(context->comm);
    hit_status status = HIT_OK;

    HIT_TRY(hit_tile_peers_create(context->size, peers));
    for (int k = 0; k < context->size && status == HIT_OK; k++) {
        if (all_here && k != context->rank) continue;
        status = hit_memory_zeroed(1, sizeof(hit_context), &(*peers)->as[k]);
        if (status == HIT_OK) status = open_peer(context, k, (*peers)->as[k]);
    }
    if (status != HIT_OK) close_peers(peers);
    return status;
}

/* Do all processes run here, or are there few others, which are like this one? */
static bool may_run(const hit_context *context)
{
    if (context->simulated != NULL || context->shares_follow) return false;
    if (context->size == hit_comm_present(context->comm)) return true;
    return context->size <= HIT_DRY_PEERS && hit_nodes_kinds(context) == 1 &&
           hit_comm_present(context->comm) == 1;
}

static hit_status open_all(hit_context *context, hit_dry_count *count)
{
    for (int d = 0; d < context->devices; d++) {
        HIT_TRY(hit_device_count(context->device[d]));
    }
    return context->size == 1 ? HIT_OK : open_peers(context, &count->peers);
}

void hit_dry_count_open(hit_context *context, hit_dry_count *count)
{
    uint64_t against = !may_run(context) || open_all(context, count) != HIT_OK;

    count->runs = hit_comm_max_u64(context->comm, &against, 1) == HIT_OK && against == 0;
}

void hit_dry_count_close(hit_dry_count *count)
{
    close_peers(&count->peers);
}

/* ---- launches ---- */

static hit_status run(hit_call *call)
{
    hit_launch_plan *plan = NULL;

    HIT_TRY(hit_launcher_plan(call, HIT_OK, &plan));
    return hit_live_run(call, plan);
}

/* One of a block over processes leaves nothing on devices, nor beyond boundaries. */
static hit_status pass(hit_call *call)
{
    const hit_stations *stations = call->context->stations;
    const hit_known_kernel *known;

    HIT_TRY(hit_launcher_know(call, &known));
    HIT_TRY(hit_holds_begin(call));
    hit_holds_end(call, known);
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        hit_storage_drop_constants(call->args[k].tile->storage);
    }
    for (int d = 0; d < stations->count; d++) {
        HIT_TRY(hit_residents_evict(&stations->station[d].residents));
    }
    return HIT_OK;
}

static hit_status for_peer(hit_tile_peers *peers, int rank, const hit_call *call,
                           hit_status (*one)(hit_call *call))
{
    const hit_launcher *launcher = call->context->launcher;
    hit_context *as = peers->as[rank];
    hit_arg args[HIT_MAX_ARGS];
    hit_tile tile[HIT_MAX_ARGS];
    hit_call own = *call;
    hit_status status = HIT_OK;
    int count = 0;

    own.context = as;
    own.args = args;
    own.known = NULL;
    as->launcher->promise = launcher->promise;
    for (; count < call->count && status == HIT_OK; count++) {
        args[count] = call->args[count];
        tile[count].owned = NULL;
        if (args[count].tile == NULL) continue;
        status = hit_tile_as_peer(args[count].tile, peers, rank, &tile[count]);
        args[count].tile = &tile[count];
    }
    if (status == HIT_OK) status = one(&own);
    while (count > 0) {
        free(tile[--count].owned);
    }
    return status;
}

static void note_written(const hit_call *call)
{
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        call->args[k].tile->storage->version += call->kernel->arg[k].mode != HIT_MODE_IN;
    }
}

hit_status hit_dry_count_run(const hit_dry_count *count, hit_call *call, bool in_block)
{
    hit_tile_peers *peers = count->peers;

    if (peers == NULL) return run(call); /* blocks of one process run, too */
    for (int k = 0; k < peers->count; k++) {
        if (peers->as[k] == NULL) continue;
        HIT_TRY(for_peer(peers, k, call, in_block ? pass : run));
    }
    note_written(call);
    return HIT_OK;
}

/* ---- figures ---- */

static void add(const hit_context *context, hit_dry_counted *all)
{
    hit_stats own;

    hit_context_stats(context, &own);
    all->superblocks += own.superblocks;
    all->bytes_in += own.bytes_in;
    all->bytes_out += own.bytes_out;
    all->messages += own.messages_sent;
    all->empty += own.messages_empty;
    all->message_bytes += own.message_bytes_sent;
    all->chained += own.chained;
}

bool hit_dry_count_all(const hit_dry_count *count, const hit_context *context,
                       hit_dry_counted *all)
{
    if (!count->runs) return false;
    add(context, all);
    for (int k = 0; count->peers != NULL && k < count->peers->count; k++) {
        if (count->peers->as[k] != NULL) add(count->peers->as[k], all);
    }
    return hit_comm_sum_u64(context->comm, &all->superblocks,
                            sizeof(*all) / sizeof(uint64_t)) == HIT_OK;
}
