/* SPDX-License-Identifier: MIT
 * The device's side of a launch: slots, boxes, and superblocks that are moved, run and
 * moved back. */
#include "hit/launch/runner.h"

#include "patterns/transform.h"

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

static void set_box(hit_runner *r, const hit_domain *box)
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

hit_status hit_runner_box(hit_runner *r, const hit_domain *box)
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

void hit_runner_set_slots(hit_runner *r, int piece)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        set_slot(&r->run.slot[use->arg], &use->user[piece], &use->tile);
    }
}

hit_status hit_runner_in_place(hit_runner *r, int piece)
{
    hit_runner_set_slots(r, piece);
    r->launcher->superblocks++;
    return hit_runner_box(r, &r->plan->index[piece]);
}

/* The largest power of two that divides the size of an element: what its address must be
 * a multiple of. */
static size_t alignment(size_t size_bytes)
{
    return size_bytes & (~size_bytes + 1);
}

/* Lay the pieces of a superblock out in the arena: each at a multiple of 64 bytes if that
 * fits, else without a gap, in the order of falling alignment. */
static void lay_out(const hit_runner *r, const hit_domain need[], hit_view on_device[])
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
static hit_status move(hit_runner *r, int piece, const hit_plan_arg arg[],
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

static hit_status run_superblock(hit_runner *r, int piece, const hit_plan_arg arg[],
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
    HIT_TRY(hit_runner_box(r, box));
    r->launcher->superblocks++;
    return move(r, piece, arg, box, on_device, false);
}

hit_status hit_runner_superblocks(hit_runner *r, int piece)
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
