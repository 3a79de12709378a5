/* SPDX-License-Identifier: MIT
 * Carries the plan of a launch out: gather, run (in place, or superblock by superblock
 * through the device's memory), return. Nothing is allocated here from the second run of
 * a plan on. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/device/reduce.h"
#include "hit/launch/launcher.h"
#include "hit/launch/use.h"
#include "patterns/transform.h"

#include <string.h>

typedef struct runner {
    const hit_call *call;
    hit_launcher *launcher;
    hit_launch_plan *plan;
    hit_device *device;
    hit_run run; /* values are in their slots; the rest is set for every box */
} runner;

/* The slot of a tile argument whose elements lie in @p view. */
static void set_slot(hit_slot *slot, const hit_view *view, const hit_domain *tile)
{
    const hit_index size = (hit_index)view->size_bytes;
    hit_index shift = 0;
    int dense = 1;

    for (int d = 0; d < view->domain.dims; d++) {
        const hit_sig sig = view->domain.sig[d];

        slot->stride[d] = view->stride_bytes[d] / size;
        slot->step[d] = sig.stride;
        slot->begin[d] = tile->sig[d].begin;
        slot->end[d] = tile->sig[d].end;
        shift += hit_index_floor_div(sig.begin, sig.stride) * slot->stride[d];
        dense &= sig.stride == 1;
    }
    if (view->domain.dims > 0) dense &= slot->stride[view->domain.dims - 1] == 1;
    slot->dense = dense;
    /* through an integer: the shifted pointer may lie outside the buffer */
    slot->base = (void *)((uintptr_t)view->data - (uintptr_t)(shift * size));
}

static void set_box(runner *r, const hit_domain *box)
{
    hit_run *run = &r->run;

    run->dense = 1;
    for (int d = 0; d < box->dims; d++) {
        run->begin[d] = box->sig[d].begin;
        run->end[d] = box->sig[d].end;
        run->stride[d] = box->sig[d].stride;
        run->dense &= box->sig[d].stride == 1;
    }
    for (int u = 0; u < r->plan->uses; u++) {
        run->dense &= run->slot[r->plan->use[u].arg].dense;
    }
}

static hit_status run_box(runner *r, const hit_domain *box)
{
    hit_domain need[HIT_MAX_ARGS];

    if (hit_domain_is_empty(box)) return HIT_OK;
    set_box(r, box);
    for (int u = 0; u < r->plan->uses && r->plan->reduces; u++) {
        const hit_use *use = &r->plan->use[u];

        need[use->arg] = hit_pattern_cover(use->pattern, &use->tile, box);
    }
    return r->device->ops->run(r->device->state, r->call->kernel, &r->run, need);
}

static void set_slots(runner *r, int piece)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        set_slot(&r->run.slot[use->arg], &use->user[piece], &use->tile);
    }
}

static hit_status run_in_place(runner *r, int piece)
{
    set_slots(r, piece);
    r->launcher->superblocks++;
    return run_box(r, &r->plan->index[piece]);
}

/* The largest power of two that divides the size of an element: what its address must be
 * a multiple of. */
static size_t alignment(size_t size_bytes)
{
    return size_bytes & (~size_bytes + 1);
}

/* Lay the pieces of a superblock out in the arena: each at a multiple of 64 bytes if that
 * fits, else without a gap, in the order of falling alignment. */
static void lay_out(const runner *r, const hit_domain need[], hit_view on_device[])
{
    const size_t room = r->device->arena_bytes;
    size_t bytes[HIT_MAX_ARGS];
    size_t padded = 0;
    size_t offset = 0;
    bool roomy;

    for (int u = 0; u < r->plan->uses; u++) {
        const size_t size = r->plan->use[u].user[0].size_bytes;

        bytes[u] = (size_t)hit_domain_count(&need[u]) * size;
        padded += (bytes[u] + 63) / 64 * 64;
    }
    roomy = padded <= room;
    for (size_t align = (size_t)1 << 62; align > 0; align /= 2) {
        for (int u = 0; u < r->plan->uses; u++) {
            const size_t size = r->plan->use[u].user[0].size_bytes;

            if (alignment(size) != align) continue;
            on_device[u] = hit_view_make(&need[u], size, r->device->arena + offset);
            offset += roomy ? (bytes[u] + 63) / 64 * 64 : bytes[u];
        }
    }
}

/* Move the pieces of all arguments to the device, or back from it. */
static hit_status move(runner *r, int piece, const hit_plan_arg arg[],
                       const hit_domain *box, const hit_view on_device[], bool in)
{
    const hit_device_ops *ops = r->device->ops;

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_domain *need = &on_device[u].domain;
        const hit_view *host = &r->plan->use[u].user[piece];
        const uint64_t bytes = (uint64_t)hit_domain_count(need) * host->size_bytes;

        if (in ? !hit_plan_moves_in(&arg[u], box) : !hit_plan_moves_out(&arg[u])) {
            continue;
        }
        if (in) {
            HIT_TRY(ops->copy_in(r->device->state, host, &on_device[u], need));
            r->launcher->bytes_in += bytes;
        } else {
            HIT_TRY(ops->copy_out(r->device->state, &on_device[u], host, need));
            r->launcher->bytes_out += bytes;
        }
    }
    return HIT_OK;
}

static hit_status run_superblock(runner *r, int piece, const hit_plan_arg arg[],
                                 const hit_domain *box)
{
    hit_domain need[HIT_MAX_ARGS];
    hit_view on_device[HIT_MAX_ARGS];

    for (int u = 0; u < r->plan->uses; u++) {
        need[u] = hit_plan_need(&arg[u], box);
    }
    lay_out(r, need, on_device);
    HIT_TRY(move(r, piece, arg, box, on_device, true));
    for (int u = 0; u < r->plan->uses; u++) {
        set_slot(&r->run.slot[r->plan->use[u].arg], &on_device[u], &r->plan->use[u].tile);
    }
    HIT_TRY(run_box(r, box));
    r->launcher->superblocks++;
    return move(r, piece, arg, box, on_device, false);
}

static hit_status run_superblocks(runner *r, int piece)
{
    const hit_plan *plan = &r->plan->superblocks[piece];
    hit_plan_arg arg[HIT_MAX_ARGS];

    HIT_TRY(hit_device_reserve(r->device, r->plan->arena_bytes));
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        arg[u] = (hit_plan_arg){.name = r->call->kernel->arg[use->arg].name,
                                .mode = use->mode,
                                .size_bytes = use->user[piece].size_bytes,
                                .pattern = use->pattern,
                                .tile = use->tile,
                                .clip = use->need[piece]};
    }
    for (hit_index k = 0; k < plan->pieces; k++) {
        const hit_domain box = hit_plan_piece(plan, k);

        HIT_TRY(run_superblock(r, piece, arg, &box));
    }
    return HIT_OK;
}

static hit_sides sides_of(const runner *r, const hit_use *use, size_t buffer_offset)
{
    const hit_tile *tile = r->call->args[use->arg].tile;

    return (hit_sides){use->user, use->owner, tile->storage->constant,
                       r->launcher->scratch + buffer_offset};
}

static void count_messages(runner *r, hit_exchange *exchange)
{
    hit_exchange_count(exchange, &r->launcher->messages_sent,
                       &r->launcher->message_bytes_sent);
}

static hit_status begin_gathers(runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        const hit_storage *storage = r->call->args[use->arg].tile->storage;
        const bool stays = use->retained && use->mode == HIT_MODE_IN;
        hit_sides sides;

        if (use->gather == NULL) continue;
        sides = sides_of(r, use, use->gather_offset_bytes);
        HIT_TRY(hit_exchange_begin(use->gather, &sides, stays ? storage->number : 0,
                                   storage->version));
    }
    return HIT_OK;
}

static hit_status end_gathers(runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        hit_sides sides;

        if (use->gather == NULL) continue;
        sides = sides_of(r, use, use->gather_offset_bytes);
        HIT_TRY(hit_exchange_end(use->gather, &sides));
        count_messages(r, use->gather);
    }
    return HIT_OK;
}

/* Where accumulating starts: on this process, and for the elements that will be combined
 * here. */
static hit_status start_reduction(const runner *r, const hit_use *use)
{
    const hit_type type = r->call->args[use->arg].type;

    for (int k = 0; k < r->plan->pieces; k++) {
        HIT_TRY(hit_reduce_identity(use->mode, type, use->user[k].data,
                                    hit_domain_count(&use->need[k])));
    }
    return HIT_OK;
}

typedef struct reduction {
    hit_mode mode;
    hit_type type;
} reduction;

static hit_status combine(void *context, const hit_view *onto, const hit_view *from,
                          const hit_domain *domain)
{
    const reduction *how = context;

    return hit_reduce_combine(how->mode, how->type, onto, from, domain);
}

/* The old content of elements that somebody adds to does not count. */
static hit_status clear_owned(const runner *r, const hit_use *use)
{
    const hit_message_plan *messages = hit_exchange_plan(use->give_back);
    const hit_type type = r->call->args[use->arg].type;
    char identity[16];

    HIT_TRY(hit_reduce_identity(use->mode, type, identity, 1));
    for (int k = 0; k < messages->locals; k++) {
        const hit_transfer *t = &messages->transfer[k];

        hit_view_fill(&use->owner[t->owner_piece], &t->domain, identity);
    }
    for (int m = 0; m < messages->receives; m++) {
        const hit_message *message = &messages->receive[m];

        for (int k = 0; k < message->count; k++) {
            const hit_transfer *t = &messages->transfer[message->first + k];

            hit_view_fill(&use->owner[t->owner_piece], &t->domain, identity);
        }
    }
    return HIT_OK;
}

static hit_status return_results(runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];
        reduction how = {use->mode, r->call->args[use->arg].type};
        const bool reduces = hit_mode_reduces(use->mode) != 0;
        hit_sides sides;

        if (use->mode != HIT_MODE_IN) r->call->args[use->arg].tile->storage->version++;
        if (use->give_back == NULL) continue;
        if (reduces) HIT_TRY(clear_owned(r, use));
        sides = sides_of(r, use, use->return_offset_bytes);
        HIT_TRY(
            hit_exchange_return(use->give_back, &sides, reduces ? combine : NULL, &how));
        count_messages(r, use->give_back);
    }
    return HIT_OK;
}

static hit_status prepare(runner *r)
{
    HIT_TRY(hit_launcher_reserve(r->launcher, r->plan->scratch_bytes));
    for (int k = 0; k < r->call->count; k++) {
        if (r->call->args[k].tile != NULL) continue;
        r->run.slot[k].base = (void *)(uintptr_t)r->call->args[k].value;
        r->run.slot[k].dense = 1;
    }
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        HIT_TRY(hit_use_cover(use, r->call->args[use->arg].tile, r->plan->pieces));
    }
    for (int u = 0; u < r->plan->uses; u++) {
        hit_use *use = &r->plan->use[u];

        hit_use_refresh(use, r->call->args[use->arg].tile, r->plan->pieces,
                        r->launcher->scratch);
        if (hit_mode_reduces(use->mode)) HIT_TRY(start_reduction(r, use));
    }
    return HIT_OK;
}

/* Run @p count boxes of indices in place, and keep the time. */
static hit_status run_boxes(runner *r, int count, const hit_domain box[])
{
    const double start = hit_comm_time(r->call->context->comm);
    hit_status status = HIT_OK;

    for (int k = 0; k < count && status == HIT_OK; k++) {
        status = run_box(r, &box[k]);
    }
    r->launcher->busy_s += hit_comm_time(r->call->context->comm) - start;
    return status;
}

/* The inner part of the indices while messages are under way, then the border. */
static hit_status run_overlapped(runner *r)
{
    hit_status inner;

    set_slots(r, 0);
    r->launcher->superblocks++;
    inner = run_boxes(r, 1, &r->plan->inner);
    HIT_TRY(end_gathers(r)); /* whatever happened: the peers wait for it */
    HIT_TRY(inner);
    return run_boxes(r, r->plan->border.count, r->plan->border.part);
}

static hit_status run_pieces(runner *r)
{
    const bool in_place = r->plan->superblocks == NULL;
    hit_status status = HIT_OK;
    double start;

    HIT_TRY(end_gathers(r));
    start = hit_comm_time(r->call->context->comm);
    for (int k = 0; k < r->plan->pieces && status == HIT_OK; k++) {
        status = in_place ? run_in_place(r, k) : run_superblocks(r, k);
    }
    if (status == HIT_OK) status = r->device->ops->wait(r->device->state);
    r->launcher->busy_s += hit_comm_time(r->call->context->comm) - start;
    return status;
}

hit_status hit_launch_run(const hit_call *call, hit_launch_plan *plan)
{
    hit_status run;
    hit_status given;
    runner r;

    /* not cleared as a whole: it is large, and every used slot is set below */
    r.call = call;
    r.launcher = call->context->launcher;
    r.plan = plan;
    r.device = call->context->device;
    r.run.threads = r.device->ops->threads(r.device->state);
    r.run.queue = NULL;
    r.run.blas = NULL;
    r.run.chunks = 0;
    r.run.reduced = 0;
    memset(r.run.partial, 0, sizeof(r.run.partial));
    HIT_TRY(prepare(&r));
    HIT_TRY(begin_gathers(&r));
    run = plan->overlaps ? run_overlapped(&r) : run_pieces(&r);
    r.launcher->indices += plan->indices;
    given = return_results(&r); /* also after a failure: the peers wait for it */
    return run != HIT_OK ? run : given;
}
