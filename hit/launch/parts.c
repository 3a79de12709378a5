/* SPDX-License-Identifier: MIT
 * The parts of a launch on this process: the index range of each device, the elements it
 * needs, and its superblock plan. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/launch/launch_plan.h"
#include "hit/tile/tile_impl.h"
#include "patterns/transform.h"

#include <stddef.h>
#include <string.h>

/* May @p more be kept on the device for @p need? The rim of a stencil is little more. */
static bool is_little_more(const hit_domain *need, const hit_domain *more)
{
    const hit_index count = hit_domain_count(need);

    return hit_domain_count(more) - count <= count / 8;
}

/* What the part needs of all tiles with the same elements. */
static hit_domain of_all_alike(const hit_launch_plan *plan, const hit_part *part, int u)
{
    hit_domain all = part->claim[u].need;

    for (int v = 0; v < plan->uses; v++) {
        if (!hit_domain_equal(&plan->use[v].tile, &plan->use[u].tile)) continue;
        all = hit_domain_cover(&all, &part->claim[v].need);
    }
    return all;
}

/* What to keep on the device for a need, so that the next launch finds it: with the rest
 * of what this process owns where that is little more, else with what this launch needs
 * of its other tiles, which may be swapped. Where a tile is several arguments only the
 * need: two boxes on the device never hold the same element. */
static hit_domain box_of(const hit_launch_plan *plan, const hit_call *call,
                         const hit_part *part, int u)
{
    const hit_use *use = &plan->use[u];
    const hit_domain *need = &part->claim[u].need;
    const int own = use->piece[part->piece];
    hit_domain more;

    if (own < 0 || plan->alias != 0) return *need;
    more = hit_domain_cover(need, &call->args[use->arg].tile->owned[own]);
    if (is_little_more(need, &more)) return more;
    more = of_all_alike(plan, part, u);
    return is_little_more(need, &more) ? more : *need;
}

/* What a part writes of what it needs, where that is not all. */
static void set_writes(const hit_launch_plan *plan, const hit_part *part, int u)
{
    const hit_use *use = &plan->use[u];
    hit_claim *claim = &part->claim[u];

    if (use->pattern->only_read == 0) return;
    claim->writes = hit_pattern_cover(use->writes, &use->tile, &part->index);
}

/* Does another device add to some of the same elements, before this one? */
static bool is_partial(const hit_launch_plan *plan, const hit_part *part, int u)
{
    if (!hit_mode_reduces(plan->use[u].mode)) return false;
    for (const hit_part *other = part; other-- > plan->part;) {
        if (other->piece != part->piece) return false; /* they come piece by piece */
        if (hit_domain_meets(&other->claim[u].need, &part->claim[u].need)) return true;
    }
    return false;
}

static void claim(hit_launch_plan *plan, const hit_call *call, hit_part *part, int u)
{
    hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;
    hit_claim *made = &part->claim[u];

    made->need = hit_pattern_cover(use->pattern, &tile->domain, &part->index);
    set_writes(plan, part, u);
    made->loads = hit_use_loads(use, call, plan->known, &part->index);
    made->host = &use->user[part->piece];
    made->partial = is_partial(plan, part, u);
    if (!made->partial) return;
    made->host = &made->own;
    made->offset_bytes = hit_launch_plan_take(
        plan, (size_t)hit_domain_count(&made->need) * tile->storage->type.size_bytes);
    plan->partials = true;
}

/* May what lies around the needs stay on the device as well? */
static bool rims_fit(const hit_launch_plan *plan, const hit_call *call,
                     const hit_part *part)
{
    const size_t limit = call->context->device[part->device]->limit_bytes;
    size_t bytes = 0;

    for (int u = 0; u < plan->uses; u++) {
        const size_t count = (size_t)hit_domain_count(&part->claim[u].box);

        bytes += count * call->args[plan->use[u].arg].type.size_bytes;
    }
    return bytes <= limit;
}

static bool is_in_place(const hit_call *call, const hit_part *part)
{
    return hit_device_in_place(call->context->device[part->device]);
}

void hit_part_defer(const hit_call *call, const hit_launch_plan *plan, hit_part *part)
{
    hit_domain inner;

    if (!plan->overlaps || !plan->defers || part->superblocks.arena_bytes == 0) return;
    inner = hit_domain_intersect(&plan->inner, &part->index);
    hit_call_defer(call, plan->known, &inner, &part->superblocks);
}

/* Are results added up, or sent, or in a tile that is several arguments? Where they stay
 * on the device none of it may be there before all of it is. */
static bool moves_results(const hit_launch_plan *plan)
{
    bool moves = plan->alias != 0 || plan->reduces;

    for (int u = 0; u < plan->uses; u++) {
        moves = moves || plan->use[u].give_back != NULL;
    }
    return moves;
}

bool hit_part_waits(const hit_launch_plan *plan, const hit_part *part)
{
    hit_domain inner;

    if (part->superblocks.arena_bytes > 0) return part->superblocks.plan.early == 0;
    inner = hit_domain_intersect(&plan->inner, &part->index);
    return hit_domain_is_empty(&inner) || moves_results(plan);
}

static hit_status plan_part(hit_launch_plan *plan, const hit_call *call, hit_part *part)
{
    const hit_device *device = call->context->device[part->device];

    for (int u = 0; u < plan->uses; u++) {
        claim(plan, call, part, u);
    }
    if (is_in_place(call, part)) return HIT_OK;
    for (int u = 0; u < plan->uses; u++) {
        part->claim[u].box = box_of(plan, call, part, u);
    }
    part->rims = rims_fit(plan, call, part);
    HIT_TRY(hit_call_superblocks(call, plan->known, device, &part->index,
                                 device->limit_bytes, &part->superblocks));
    hit_part_defer(call, plan, part);
    return HIT_OK;
}

static hit_status plan_all(hit_launch_plan *plan, const hit_call *call,
                           const hit_domain cut[])
{
    const int devices = call->context->devices;

    plan->claimed = plan->place;
    for (int k = 0; k < plan->pieces * devices; k++) {
        hit_part *part = &plan->part[plan->parts];
        const hit_domain index = hit_where_clip(plan->known->where, &cut[k]);

        if (hit_domain_is_empty(&index)) continue;
        *part = (hit_part){.piece = k / devices,
                           .device = k % devices,
                           .index = index,
                           .claim = plan->claim + (ptrdiff_t)plan->parts * plan->uses};
        plan->parts++;
        plan->shared = plan->shared || part->device > 0;
        HIT_TRY(plan_part(plan, call, part));
    }
    return HIT_OK;
}

/* For the most parts that a plan can have. */
static hit_status make_room(hit_launch_plan *plan, const hit_call *call, hit_domain **cut)
{
    const size_t room = (size_t)plan->pieces * (size_t)call->context->devices + 1;

    HIT_TRY(hit_memory_zeroed(room, sizeof(hit_part), &plan->part));
    HIT_TRY(hit_memory_zeroed(room * (size_t)plan->uses + 1, sizeof(hit_claim),
                              &plan->claim));
    return hit_memory_zeroed(room, sizeof(hit_domain), cut);
}

/* Without the devices of @p small. */
static hit_status plan_without(hit_launch_plan *plan, const hit_call *call,
                               const hit_device_set *small)
{
    const hit_region index = {.count = plan->pieces, .part = plan->index};
    hit_domain *cut = NULL;
    hit_status status;

    HIT_TRY(make_room(plan, call, &cut));
    status = hit_cut_make(call, plan->known, &index, small, cut, &plan->cut_dim);
    if (status == HIT_OK) status = plan_all(plan, call, cut);
    free(cut);
    return status;
}

hit_status hit_parts_plan(hit_launch_plan *plan, const hit_call *call)
{
    const size_t scratch_bytes = plan->scratch_bytes;
    hit_device_set small = {{0}};
    hit_status status = plan_without(plan, call, &small);

    /* the last part is the one whose device does not hold it */
    while (status == HIT_E_LIMIT && plan->parts > 0 &&
           hit_cut_leave(call, plan->part[plan->parts - 1].device, &small)) {
        hit_parts_clear(plan);
        plan->scratch_bytes = scratch_bytes;
        status = plan_without(plan, call, &small);
    }
    return status;
}

hit_status hit_parts_cut(hit_launch_plan *plan, const hit_call *call,
                         const hit_index share[])
{
    const hit_region index = {.count = plan->pieces, .part = plan->index};
    hit_launch_plan old; /* but for its uses */
    hit_domain *cut = NULL;
    hit_status status;

    memcpy(&old, plan, offsetof(hit_launch_plan, use));
    plan->part = NULL;
    plan->claim = NULL;
    plan->parts = 0;
    plan->shared = false;
    status = make_room(plan, call, &cut);
    if (status == HIT_OK) {
        status = hit_cut_again(call, plan->known, &index, plan->cut_dim, share, cut);
    }
    if (status == HIT_OK) status = plan_all(plan, call, cut);
    free(cut);
    hit_parts_clear(status == HIT_OK ? &old : plan);
    if (status != HIT_OK) memcpy(plan, &old, offsetof(hit_launch_plan, use));
    return status;
}

/* The same superblocks, elsewhere; the sum that is cut as well is the last dimension. */
static void move_superblocks(const hit_launch_plan *plan, const hit_call *call,
                             hit_part *part)
{
    hit_superblocks *made = &part->superblocks;
    const int dims = plan->domain.dims;

    for (int d = 0; d < dims; d++) {
        made->plan.index.sig[d] = part->index.sig[d];
    }
    if (made->sum.args > 0) {
        const hit_along *along = &call->kernel->along[0];

        made->plan.index.sig[dims] = call->args[along->arg].tile->domain.sig[along->dim];
    }
}

/* On several processes this one may have had nothing to do before. */
static void make_part(hit_launch_plan *plan, hit_part *part)
{
    if (plan->parts == 0) {
        *part = (hit_part){.claim = plan->claim};
        for (int u = 0; u < plan->uses; u++) {
            part->claim[u].host = &plan->use[u].user[0];
            part->claim[u].loads = plan->use[u].mode != HIT_MODE_OUT;
        }
    }
    plan->parts = plan->pieces;
    part->index = plan->index[0];
}

void hit_parts_shift(hit_launch_plan *plan, const hit_call *call)
{
    for (int d = 0; d < plan->domain.dims; d++) {
        const hit_index by = call->domain.sig[d].begin - plan->domain.sig[d].begin;

        for (int k = 0; k < plan->parts; k++) {
            plan->part[k].index.sig[d].begin += by;
            plan->part[k].index.sig[d].end += by;
        }
    }
}

/* What a part needs, and whether it is loaded: what is read always is, and what each
 * index writes at its own element never. */
static void move_claim(hit_launch_plan *plan, const hit_call *call, hit_part *part, int u)
{
    const hit_use *use = &plan->use[u];
    hit_claim *claim = &part->claim[u];

    if (plan->parts == 1) {
        claim->need = use->need[0];
    } else {
        hit_known_kernel_cover(plan->known, use->arg, &use->tile, &part->index,
                               &claim->need);
    }
    set_writes(plan, part, u);
    if (use->mode != HIT_MODE_OUT || plan->known->point[use->arg]) return;
    claim->loads = hit_use_loads(use, call, plan->known, &part->index);
}

/* In a device's own memory. */
static void move_staged(hit_launch_plan *plan, const hit_call *call, hit_part *part)
{
    for (int u = 0; u < plan->uses; u++) {
        move_claim(plan, call, part, u);
    }
    for (int u = 0; u < plan->uses; u++) {
        part->claim[u].box = box_of(plan, call, part, u);
    }
    part->rims = !part->replanned && rims_fit(plan, call, part);
    move_superblocks(plan, call, part);
}

void hit_parts_move(hit_launch_plan *plan, const hit_call *call)
{
    if (call->context->devices == 1) make_part(plan, &plan->part[0]);
    for (int k = 0; k < plan->parts; k++) {
        hit_part *part = &plan->part[k];

        if (is_in_place(call, part)) continue;
        move_staged(plan, call, part);
    }
}

void hit_parts_claim(hit_launch_plan *plan, const hit_call *call)
{
    if (plan->claimed == plan->place) return;
    plan->claimed = plan->place;
    for (int k = 0; k < plan->parts; k++) {
        hit_part *part = &plan->part[k];

        if (!is_in_place(call, part)) continue;
        for (int u = 0; u < plan->uses; u++) {
            move_claim(plan, call, part, u);
        }
    }
}

void hit_parts_clear(hit_launch_plan *plan)
{
    for (int k = 0; k < plan->parts; k++) {
        hit_plan_sum_clear(&plan->part[k].superblocks.sum);
    }
    free(plan->part);
    free(plan->claim);
    plan->part = NULL;
    plan->claim = NULL;
    plan->parts = 0;
    plan->shared = false;
    plan->partials = false;
}

hit_status hit_part_settle(const hit_call *call, const hit_launch_plan *plan,
                           const hit_part *part)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_claim *claim = &part->claim[u];

        const int piece = hit_use_storage_piece(use, call, part->piece);
        const bool apart = use->pattern->only_read > 0;
        hit_storage *storage = call->args[use->arg].tile->storage;

        if (use->piece[part->piece] < 0) continue; /* temporary: nothing stays of it */
        HIT_TRY(hit_storage_touch_others(storage, part->device, piece, &claim->need,
                                         claim->loads,
                                         use->mode != HIT_MODE_IN && !apart));
        if (!apart) continue;
        HIT_TRY(hit_storage_touch_others(storage, part->device, piece, &claim->writes,
                                         false, true));
    }
    return HIT_OK;
}
