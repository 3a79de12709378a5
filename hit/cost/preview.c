/* SPDX-License-Identifier: MIT
 * What a launch would do: the same pure plans that its processes make, one process after
 * the other, added up. What the executor counts must equal it (tests/hit/launch). */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/comm/message.h"
#include "hit/cost/preview_impl.h"
#include "hit/data/hash.h"
#include "hit/device/nodes.h"

#include <stdlib.h>
#include <string.h>

static void count(hit_figure *figure, uint64_t of_process)
{
    figure->sum += of_process;
    if (of_process > figure->most) figure->most = of_process;
}

/* Those processes that do something. */
typedef struct shares {
    int count;
    size_t room;
    size_t size_bytes; /* of a share */
    char *of;
    hit_table by_rank;
} shares;

hit_preview_peer *hit_preview_peer_of(const hit_preview_call *w, int rank)
{
    return &w->of[hit_nodes_kind_of(w->call->context, rank)];
}

/* As hit_exchange_create() lays them out; messages that only tell lie in few bytes. */
static uint64_t buffers_of(const hit_message_plan *plan)
{
    uint64_t bytes = 0;

    for (int k = 0; k < plan->receives; k++) {
        bytes += hit_memory_padded(plan->receive[k].size_bytes);
    }
    for (int k = 0; k < plan->sends; k++) {
        bytes += hit_memory_padded(plan->send[k].size_bytes);
    }
    return bytes;
}

static uint64_t hash_of(int rank)
{
    return hit_hash_word(0, (uint64_t)rank);
}

static hit_preview_share *share_at(const shares *all, int k)
{
    return (hit_preview_share *)(void *)(all->of + (size_t)k * all->size_bytes);
}

/* -1: it does nothing. */
static int find_share(const shares *all, int rank)
{
    int k = hit_table_first(&all->by_rank, hash_of(rank));

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): in the table, and so there */
    while (k >= 0 && share_at(all, k)->rank != rank) {
        k = hit_table_next(&all->by_rank, k);
    }
    return k;
}

/* NULL: there is no memory (HIT_E_NOMEM, and its text). */
static hit_preview_share *share_of(shares *all, int rank)
{
    int k = all->count > 0 ? find_share(all, rank) : -1;
    hit_preview_share *made;

    if (k >= 0) return share_at(all, k);
    if (hit_memory_grow((size_t)all->count + 1, &all->room, all->size_bytes, "a preview",
                        &all->of) != HIT_OK ||
        hit_table_reserve(&all->by_rank, (int)all->room, "a preview") != HIT_OK) {
        return NULL;
    }
    k = all->count++;
    made = share_at(all, k);
    memset(made, 0, all->size_bytes);
    made->rank = rank;
    hit_table_put(&all->by_rank, hash_of(rank), k);
    return made;
}

void hit_preview_parts_clear(hit_preview_parts *parts)
{
    free(parts->message);
    free(parts->turn);
    *parts = (hit_preview_parts){0};
}

/* Of what a process sends: all, or what can be held. */
static hit_status add_parts(const hit_preview_call *w, const hit_use *use,
                            const hit_message_request *request,
                            const hit_message_plan *plan)
{
    const hit_rates *rates = hit_preview_peer_of(w, request->rank)->rates;
    const bool may_hold = hit_use_may_hold(use);
    hit_preview_parts *parts = w->parts;

    for (int k = 0; k < plan->sends; k++) {
        const hit_message *of = &plan->send[k];
        const bool held = may_hold && of->one_box;
        const hit_forecast time = hit_predict_messages(rates, 1, of->size_bytes, 0, 0);

        for (int t = 0; t < of->targets && (held || parts->narrow); t++) {
            HIT_TRY(HIT_ONE_MORE(parts->message, parts->count, parts->room, "a preview"));
            parts->message[parts->count++] =
                (hit_preview_message){.arg = use->arg,
                                      .from = request->rank,
                                      .to = plan->target[of->first_target + t].rank,
                                      .held = held,
                                      .result = request->direction == HIT_RETURN,
                                      .box = plan->transfer[of->first].domain,
                                      .size_bytes = of->size_bytes,
                                      .time = time};
        }
    }
    return HIT_OK;
}

static hit_status add_own_messages(const hit_preview_call *w, const hit_use *use,
                                   const hit_message_request *request,
                                   hit_preview_share *mine)
{
    hit_status status = HIT_OK;
    hit_message_plan plan;

    HIT_TRY(hit_message_plan_make(request, &plan));
    if (request->direction == HIT_GATHER && use->retained && plan.receives > 0) {
        mine->halos |= 1u << use->arg;
    }
    mine->messages += (uint64_t)plan.targets;
    mine->message_bytes += plan.bytes_sent;
    mine->buffer_bytes += buffers_of(&plan);
    mine->messages_time = hit_forecast_add(
        mine->messages_time,
        hit_predict_messages(hit_preview_peer_of(w, request->rank)->rates, plan.targets,
                             plan.bytes_sent, plan.receives, plan.bytes_received));
    if (w->parts != NULL) status = add_parts(w, use, request, &plan);
    hit_message_plan_clear(&plan);
    return status;
}

/* What every process sends for an argument; what all need and own is found once. */
static hit_status add_messages(const hit_preview_call *w, const hit_use *use,
                               hit_direction direction, shares *all)
{
    hit_message_request request = hit_use_request(use, w->call, &w->split, direction);
    hit_everyone everyone = {0};
    hit_status status = hit_everyone_find(&request, &everyone);

    if (status == HIT_OK) status = hit_everyone_meet(&request, &everyone);
    request.everyone = &everyone;
    for (int p = 0; p < everyone.count && status == HIT_OK; p++) {
        hit_preview_share *mine;

        request.rank = hit_everyone_rank(&everyone, p);
        mine = share_of(all, request.rank);
        status = mine != NULL ? add_own_messages(w, use, &request, mine) : HIT_E_NOMEM;
    }
    hit_everyone_clear(&everyone);
    return status;
}

static hit_status set_uses(hit_preview_call *w)
{
    for (int k = 0; k < w->call->count; k++) {
        const hit_tile *tile = w->call->args[k].tile;

        if (tile == NULL) continue;
        w->use[k] = (hit_use){.arg = k,
                              .mode = w->call->kernel->arg[k].mode,
                              .pattern = &w->known->pattern[k],
                              .writes = &w->known->writes[k],
                              .tile = tile->domain};
        if (w->call->context->size > 1 && hit_use_is_scattered(&w->use[k])) {
            w->use[k].mode = HIT_MODE_SUM; /* as in hit_use_place() */
        }
        HIT_TRY(hit_use_set_retained(&w->use[k], tile, &w->split));
    }
    return HIT_OK;
}

static hit_status add_all_messages(const hit_preview_call *w, shares *all)
{
    for (int k = 0; k < w->call->count; k++) {
        const hit_use *use = &w->use[k];

        if (w->call->args[k].tile == NULL) continue;
        if (hit_use_gathers(use, w->call)) {
            HIT_TRY(add_messages(w, use, HIT_GATHER, all));
        }
        if (use->mode != HIT_MODE_IN) {
            HIT_TRY(add_messages(w, use, HIT_RETURN, all));
        }
    }
    return HIT_OK;
}

static hit_status add_pieces(const hit_preview_call *w, int rank, shares *all)
{
    hit_region index = {0};
    hit_status status = hit_split_part(&w->split, rank, &index);

    if (status == HIT_OK && index.count > 0) {
        hit_preview_share *mine = share_of(all, rank);

        status = mine != NULL ? hit_preview_devices(w, &index, mine) : HIT_E_NOMEM;
    }
    hit_region_clear(&index);
    return status;
}

static hit_status plan_shares(const hit_preview_call *w, const hit_owners *owners,
                              shares *all)
{
    const int count = owners->all ? w->call->context->size : owners->count;

    HIT_TRY(add_all_messages(w, all));
    for (int k = 0; k < count; k++) {
        HIT_TRY(add_pieces(w, owners->all ? k : owners->rank[k], all));
    }
    return HIT_OK;
}

static hit_forecast time_of(const hit_preview_call *w, const hit_preview_share *mine)
{
    hit_forecast time = {0};

    for (int d = 0; d < w->devices; d++) {
        time = hit_forecast_max(time, mine->device[d].time);
    }
    return time;
}

static hit_status set_turns(const hit_preview_call *w, const shares *made)
{
    hit_preview_parts *parts = w->parts;

    if (parts == NULL || !parts->narrow || made->count == 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)made->count, sizeof(*parts->turn), &parts->turn));
    for (int k = 0; k < made->count; k++) {
        const hit_preview_share *mine = share_at(made, k);

        if (mine->done.indices == 0) continue;
        parts->turn[parts->turns++] = (hit_preview_turn){mine->rank, time_of(w, mine)};
    }
    return HIT_OK;
}

/* One device of a process beside those of the others. */
static void add_device(const hit_preview_device *mine, hit_device_preview *all)
{
    if (mine->indices > 0 && all->indices.sum == 0) all->sample = mine->sample;
    count(&all->indices, mine->indices);
    all->peak_bytes = hit_preview_larger(all->peak_bytes, mine->peak_bytes);
    all->time = hit_forecast_max(all->time, mine->time);
}

static hit_preview add_up(const hit_preview_call *w, const shares *made)
{
    const hit_context *context = w->call->context;
    hit_preview all = {.devices = w->devices};

    for (int d = 0; d < w->devices; d++) {
        all.device[d].sample = hit_domain_empty(w->call->domain.dims);
    }
    for (int k = 0; k < hit_footprint_processes(context->footprint); k++) {
        const int rank = hit_footprint_rank(context->footprint, k);
        const int found = made->count > 0 ? find_share(made, rank) : -1;

        if (found >= 0) all.buffer_bytes[k] = share_at(made, found)->buffer_bytes;
    }
    for (int k = 0; k < made->count; k++) {
        const hit_preview_share *mine = share_at(made, k);

        all.processes += mine->done.indices > 0;
        count(&all.indices, mine->done.indices);
        count(&all.messages, mine->messages);
        count(&all.message_bytes, mine->message_bytes);
        count(&all.superblocks, mine->done.superblocks);
        count(&all.bytes_in, mine->done.bytes_in);
        count(&all.bytes_out, mine->done.bytes_out);
        all.streams += mine->done.streams && !mine->done.stays;
        all.stays += mine->done.stays;
        for (int d = 0; d < w->devices; d++) {
            add_device(&mine->device[d], &all.device[d]);
            all.peak_bytes =
                hit_preview_larger(all.peak_bytes, mine->device[d].peak_bytes);
            all.kernel_j += mine->device[d].kernel_j;
        }
        all.time = hit_forecast_max(
            all.time, hit_forecast_add(time_of(w, mine), mine->messages_time));
    }
    return all;
}

/* The rates of a kind lie behind those of the kind before. */
static hit_status see_peers(hit_preview_call *w, const hit_rates rates[])
{
    const hit_context *context = w->call->context;
    const int kinds = hit_nodes_kinds(context);

    HIT_TRY(hit_memory_zeroed((size_t)kinds, sizeof(*w->of), &w->of));
    for (int k = 0; k < kinds; k++) {
        hit_preview_peer *one = &w->of[k];

        hit_nodes_see(context, k, &one->context);
        one->call = *w->call;
        one->call.context = &one->context;
        one->rates = &rates[(ptrdiff_t)k * w->devices];
    }
    return HIT_OK;
}

hit_status hit_preview_make(const hit_call *call, const hit_known_kernel *known,
                            const hit_rates rates[], hit_preview *preview,
                            hit_preview_parts *parts)
{
    hit_preview_call w = {.call = call,
                          .known = known,
                          .parts = parts,
                          .devices = hit_nodes_most_devices(call->context)};
    hit_owners owners = {0};
    shares all = {.size_bytes = sizeof(hit_preview_share) +
                                (size_t)w.devices * sizeof(hit_preview_device)};
    hit_status status = see_peers(&w, rates);

    if (status == HIT_OK) status = hit_launch_plan_split(call, known, &w.split);
    if (status == HIT_OK) status = set_uses(&w);
    if (status == HIT_OK) status = hit_split_owners(&w.split, &owners);
    if (status == HIT_OK) {
        hit_owners_sort(&owners);
        if (parts != NULL) {
            parts->narrow = !owners.all && owners.count <= call->context->size / 2;
        }
        status = plan_shares(&w, &owners, &all);
    }
    if (status == HIT_OK) status = set_turns(&w, &all);
    if (status == HIT_OK) *preview = add_up(&w, &all);
    hit_owners_clear(&owners);
    hit_table_clear(&all.by_rank);
    free(all.of);
    free(w.of);
    return status;
}
