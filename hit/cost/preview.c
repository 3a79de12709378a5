/* SPDX-License-Identifier: MIT
 * What a launch would do: the same pure plans that its processes make, one process after
 * the other, added up. What the executor counts must equal it (tests/hit/launch). */
#include "hit/base/alloc.h"
#include "hit/base/containers.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/message.h"
#include "hit/cost/cost.h"
#include "hit/data/hash.h"
#include "hit/device/nodes.h"
#include "hit/launch/launch_plan.h"

#include <stdlib.h>
#include <string.h>

static void count(hit_figure *figure, uint64_t of_process)
{
    figure->sum += of_process;
    if (of_process > figure->most) figure->most = of_process;
}

/* What one device of a process does. */
typedef struct device_share {
    uint64_t indices;
    uint64_t peak_bytes;
    hit_forecast time;
    hit_domain sample;
} device_share;

/* What one process does. */
typedef struct share {
    int rank;
    uint64_t indices;
    uint64_t messages;
    uint64_t message_bytes;
    uint64_t buffer_bytes;
    unsigned halos; /* of these arguments it receives halos, a bit each */
    uint64_t superblocks;
    uint64_t bytes_in;
    uint64_t bytes_out;
    bool streams;
    bool stays;
    hit_forecast messages_time;
    device_share device[]; /* as many as a process has at most */
} share;

/* Those processes that do something. */
typedef struct shares {
    int count;
    size_t room;
    size_t size_bytes; /* of a share */
    char *of;
    hit_table by_rank;
} shares;

/* The call as processes of one kind make it. */
typedef struct peer {
    hit_context context;
    hit_call call;
    const hit_rates *rates; /* per device */
} peer;

/* What is planned. */
typedef struct wanted {
    const hit_call *call;
    const hit_known_kernel *known;
    peer *of;    /* per kind of processes */
    int devices; /* of a process, at most */
    hit_split split;
    hit_use use[HIT_MAX_ARGS]; /* per argument */
    hit_preview_boxes *boxes;  /* NULL: not wanted */
} wanted;

static const peer *peer_of(const wanted *w, int rank)
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

static share *share_at(const shares *all, int k)
{
    return (share *)(void *)(all->of + (size_t)k * all->size_bytes);
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
static share *share_of(shares *all, int rank)
{
    int k = all->count > 0 ? find_share(all, rank) : -1;
    share *made;

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

void hit_preview_boxes_clear(hit_preview_boxes *boxes)
{
    free(boxes->of);
    *boxes = (hit_preview_boxes){0};
}

/* Of what a process sends, the boxes that can be held. */
static hit_status add_boxes(const wanted *w, const hit_use *use, int rank,
                            const hit_message_plan *plan)
{
    hit_preview_boxes *boxes = w->boxes;

    for (int k = 0; k < plan->sends; k++) {
        const hit_message *message = &plan->send[k];

        if (!message->one_box) continue;
        HIT_TRY(hit_needs_grow(&boxes->of, boxes->count, &boxes->room,
                               sizeof(hit_preview_box)));
        boxes->of[boxes->count++] =
            (hit_preview_box){.arg = use->arg,
                              .from = rank,
                              .to = plan->target[message->first_target].rank,
                              .box = plan->transfer[message->first].domain,
                              .size_bytes = message->size_bytes};
    }
    return HIT_OK;
}

static hit_status add_own_messages(const wanted *w, const hit_use *use,
                                   const hit_message_request *request, share *mine)
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
        hit_predict_messages(peer_of(w, request->rank)->rates, plan.targets,
                             plan.bytes_sent, plan.receives, plan.bytes_received));
    if (w->boxes != NULL && hit_use_may_hold(use)) {
        status = add_boxes(w, use, request->rank, &plan);
    }
    hit_message_plan_clear(&plan);
    return status;
}

/* What every process sends for an argument; what all need and own is found once. */
static hit_status add_messages(const wanted *w, const hit_use *use,
                               hit_direction direction, shares *all)
{
    hit_message_request request = hit_use_request(use, w->call, &w->split, direction);
    hit_everyone everyone = {0};
    hit_status status = hit_everyone_find(&request, &everyone);

    if (status == HIT_OK) status = hit_everyone_meet(&request, &everyone);
    request.everyone = &everyone;
    for (int p = 0; p < everyone.count && status == HIT_OK; p++) {
        share *mine;

        request.rank = hit_everyone_rank(&everyone, p);
        mine = share_of(all, request.rank);
        status = mine != NULL ? add_own_messages(w, use, &request, mine) : HIT_E_NOMEM;
    }
    hit_everyone_clear(&everyone);
    return status;
}

static hit_status set_uses(wanted *w)
{
    for (int k = 0; k < w->call->count; k++) {
        const hit_tile *tile = w->call->args[k].tile;

        if (tile == NULL) continue;
        w->use[k] = (hit_use){.arg = k,
                              .mode = w->call->kernel->arg[k].mode,
                              .pattern = &w->known->pattern[k],
                              .writes = &w->known->writes[k],
                              .tile = tile->domain};
        HIT_TRY(hit_use_set_retained(&w->use[k], tile, &w->split));
    }
    return HIT_OK;
}

static hit_status add_all_messages(const wanted *w, shares *all)
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

/* Those of a process's indices whose superblocks run beside its messages, as
 * hit/launch/launch_plan.c says; empty: none do. */
static hit_status find_inner(const wanted *w, const hit_region *index, const share *mine,
                             hit_domain *inner)
{
    *inner = hit_domain_empty(w->call->domain.dims);
    if (mine->halos == 0) return HIT_OK;
    if (hit_call_against_overlap(w->call, index->count) != NULL) return HIT_OK;
    *inner = index->part[0];
    for (unsigned left = mine->halos; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);
        const hit_layout *layout = w->call->args[k].tile->storage->layout;
        const hit_use *use = &w->use[k];
        hit_region owned = {0};

        HIT_TRY(hit_layout_part(layout, mine->rank, &owned));
        if (use->mode == HIT_MODE_IN && use->single && owned.count == 1) {
            hit_use_shrink(use, layout, &w->split, &owned.part[0], inner);
        } else {
            *inner = hit_domain_empty(inner->dims);
        }
        hit_region_clear(&owned);
    }
    return HIT_OK;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The parts of a device run one after another. */
static void add_time(const wanted *w, const peer *by, int d, const hit_domain *index,
                     const hit_superblocks *made, device_share *mine)
{
    mine->time = hit_forecast_add(
        mine->time, hit_rates_predict(&by->rates[d], &by->call, w->known, index, made));
    mine->sample = *index;
    if (made != NULL && made->plan.filled > 0) {
        mine->sample = hit_plan_piece(&made->plan, hit_plan_next(&made->plan, 0));
    }
    mine->sample.dims = index->dims; /* without a sum that is cut */
}

/* What device @p d does of one piece. */
static hit_status add_part(const wanted *w, int d, const hit_domain *index,
                           const hit_domain *inner, share *mine)
{
    const peer *by = peer_of(w, mine->rank);
    const hit_device *device = by->context.device[d];
    device_share *own = &mine->device[d];
    const hit_domain first = hit_domain_intersect(inner, index);
    hit_superblocks made = {0};
    uint64_t indices;

    if (hit_domain_is_empty(index)) return HIT_OK;
    indices = (uint64_t)hit_where_count(w->known->where, index);
    mine->indices += indices;
    own->indices += indices;
    if (hit_device_in_place(device)) {
        mine->superblocks++;
        add_time(w, by, d, index, NULL, own);
        return HIT_OK;
    }
    HIT_TRY(hit_call_superblocks(&by->call, w->known, device, index, device->limit_bytes,
                                 &made));
    if (made.arena_bytes > 0) hit_call_defer(&by->call, w->known, &first, &made);
    add_time(w, by, d, index, &made, own);
    mine->superblocks += (uint64_t)made.plan.filled;
    mine->streams |= made.arena_bytes > 0;
    mine->stays = !mine->streams;
    mine->bytes_in += made.plan.bytes_in;
    mine->bytes_out += made.plan.bytes_out;
    own->peak_bytes = larger(own->peak_bytes, made.plan.peak_bytes);
    hit_plan_sum_clear(&made.sum);
    return HIT_OK;
}

/* What all devices but those of @p small do. *device: the one that was looked at last. */
static hit_status add_cut(const wanted *w, const hit_region *index,
                          const hit_device_set *small, hit_domain cut[], share *mine,
                          int *device)
{
    const hit_call *call = &peer_of(w, mine->rank)->call;
    const int devices = call->context->devices;
    hit_domain inner;
    int dim = -1;

    HIT_TRY(find_inner(w, index, mine, &inner));
    HIT_TRY(hit_cut_make(call, w->known, index, small, cut, &dim));
    for (int k = 0; k < index->count * devices; k++) {
        const hit_domain own = hit_where_clip(w->known->where, &cut[k]);

        *device = k % devices;
        HIT_TRY(add_part(w, *device, &own, &inner, mine));
    }
    return HIT_OK;
}

static hit_status add_parts(const wanted *w, const hit_region *index, share *mine)
{
    const hit_call *call = &peer_of(w, mine->rank)->call;
    const size_t parts = (size_t)index->count * (size_t)call->context->devices;
    const share messages = *mine;
    hit_device_set small = {{0}};
    hit_domain *cut = NULL;
    int device = 0;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(parts + 1, sizeof(hit_domain), &cut));
    status = add_cut(w, index, &small, cut, mine, &device);
    while (status == HIT_E_LIMIT && hit_cut_leave(call, device, &small)) {
        *mine = messages;
        status = add_cut(w, index, &small, cut, mine, &device);
    }
    free(cut);
    return status;
}

static hit_status add_pieces(const wanted *w, int rank, shares *all)
{
    hit_region index = {0};
    hit_status status = hit_split_part(&w->split, rank, &index);

    if (status == HIT_OK && index.count > 0) {
        share *mine = share_of(all, rank);

        status = mine != NULL ? add_parts(w, &index, mine) : HIT_E_NOMEM;
    }
    hit_region_clear(&index);
    return status;
}

static hit_status plan_shares(const wanted *w, const hit_owners *owners, shares *all)
{
    const int count = owners->all ? w->call->context->size : owners->count;

    HIT_TRY(add_all_messages(w, all));
    for (int k = 0; k < count; k++) {
        HIT_TRY(add_pieces(w, owners->all ? k : owners->rank[k], all));
    }
    return HIT_OK;
}

/* One device of a process beside those of the others. */
static void add_device(const device_share *mine, hit_device_preview *all)
{
    if (mine->indices > 0 && all->indices.sum == 0) all->sample = mine->sample;
    count(&all->indices, mine->indices);
    all->peak_bytes = larger(all->peak_bytes, mine->peak_bytes);
    all->time = hit_forecast_max(all->time, mine->time);
}

static hit_preview add_up(const wanted *w, const shares *made)
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
        const share *mine = share_at(made, k);
        hit_forecast time = {0};

        all.processes += mine->indices > 0;
        count(&all.indices, mine->indices);
        count(&all.messages, mine->messages);
        count(&all.message_bytes, mine->message_bytes);
        count(&all.superblocks, mine->superblocks);
        count(&all.bytes_in, mine->bytes_in);
        count(&all.bytes_out, mine->bytes_out);
        all.streams += mine->streams;
        all.stays += mine->stays;
        for (int d = 0; d < w->devices; d++) {
            add_device(&mine->device[d], &all.device[d]);
            all.peak_bytes = larger(all.peak_bytes, mine->device[d].peak_bytes);
            time = hit_forecast_max(time, mine->device[d].time);
        }
        time = hit_forecast_add(time, mine->messages_time);
        all.time = hit_forecast_max(all.time, time);
    }
    return all;
}

/* The rates of a kind lie behind those of the kind before. */
static hit_status see_peers(wanted *w, const hit_rates rates[])
{
    const hit_context *context = w->call->context;
    const int kinds = hit_nodes_kinds(context);

    HIT_TRY(hit_memory_zeroed((size_t)kinds, sizeof(*w->of), &w->of));
    for (int k = 0; k < kinds; k++) {
        peer *one = &w->of[k];

        hit_nodes_see(context, k, &one->context);
        one->call = *w->call;
        one->call.context = &one->context;
        one->rates = &rates[(ptrdiff_t)k * w->devices];
    }
    return HIT_OK;
}

hit_status hit_preview_make(const hit_call *call, const hit_known_kernel *known,
                            const hit_rates rates[], hit_preview *preview,
                            hit_preview_boxes *boxes)
{
    wanted w = {.call = call,
                .known = known,
                .boxes = boxes,
                .devices = hit_nodes_most_devices(call->context)};
    hit_owners owners = {0};
    shares all = {.size_bytes = sizeof(share) + (size_t)w.devices * sizeof(device_share)};
    hit_status status = see_peers(&w, rates);

    if (status == HIT_OK) status = hit_launch_plan_split(call, known, &w.split);
    if (status == HIT_OK) status = set_uses(&w);
    if (status == HIT_OK) status = hit_split_owners(&w.split, &owners);
    if (status == HIT_OK) {
        hit_owners_sort(&owners);
        status = plan_shares(&w, &owners, &all);
    }
    if (status == HIT_OK) *preview = add_up(&w, &all);
    hit_owners_clear(&owners);
    hit_table_clear(&all.by_rank);
    free(all.of);
    free(w.of);
    return status;
}
