/* SPDX-License-Identifier: MIT
 * One tile argument of a launch. What a piece of the indices needs lies either in the
 * tile's own memory, grown by a halo if that is what the pattern asks for, or in a
 * temporary buffer of the launch, which is scratch memory of all launches. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/marks.h"
#include "hit/data/nearby.h"
#include "hit/launch/launcher.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

#include <stdlib.h>

/* Tables that a kernel looks into, a few coefficients: each plan may have such memory. */
static const size_t kept_bytes = 65536;

/* Does every expression stay within a fixed distance of the split's anchor in dimension
 * @p t? */
static bool range_is_near(const hit_pattern *pattern, int t, int follows)
{
    for (int k = 0; k < pattern->count; k++) {
        const hit_range *range = &pattern->access[k].range[t];

        if (!hit_affine_is_parallel(&range->begin, &range->end)) return false;
        if (range->begin.fold != HIT_FOLD_NONE) return false;
        for (int d = 0; d < pattern->index_dims; d++) {
            if (range->begin.coef[d] != (d == follows)) return false;
        }
    }
    return true;
}

static bool are_same(const hit_region *a, const hit_region *b)
{
    for (int k = 0; k < a->count && k < b->count; k++) {
        if (!hit_domain_equal(&a->part[k], &b->part[k])) return false;
    }
    return a->count == b->count;
}

/* Has each process the same part in both? Layouts with other options may. */
static hit_status same_parts(const hit_layout *layout, const hit_layout *other, bool *yes)
{
    *yes = hit_layout_ranks(layout) == hit_layout_ranks(other);
    if (hit_layout_key(layout) == hit_layout_key(other)) return HIT_OK;
    for (int p = 0; p < hit_layout_ranks(layout) && *yes; p++) {
        hit_region part = {0};
        hit_region its = {0};
        hit_status status = hit_layout_part(layout, p, &part);

        if (status == HIT_OK) status = hit_layout_part(other, p, &its);
        *yes = are_same(&part, &its);
        hit_region_clear(&part);
        hit_region_clear(&its);
        HIT_TRY(status);
    }
    return HIT_OK;
}

hit_status hit_use_set_retained(hit_use *use, const hit_tile *tile,
                                const hit_split *split)
{
    const hit_layout *layout = tile->storage->layout;
    const hit_domain whole = hit_layout_domain(layout);

    if (hit_mode_reduces(use->mode)) return HIT_OK;
    /* it lies elsewhere in each version of the tile that says where */
    if (use->pattern->lookups != NULL) return HIT_OK;
    if (!hit_domain_equal(&whole, &tile->domain)) return HIT_OK;
    for (int t = 0; t < tile->domain.dims; t++) {
        if (!hit_layout_splits(layout, t)) continue;
        if (split->follows[t] < 0 || split->coef[t] != 1) return HIT_OK;
        if (!range_is_near(use->pattern, t, split->follows[t])) return HIT_OK;
    }
    use->single = layout->shape.single;
    if (!layout->shape.dense) return HIT_OK;
    return same_parts(layout, split->layout, &use->retained);
}

/* Is the argument so small that what came for a launch is kept for the next one? All
 * processes say the same. */
static bool is_kept(const hit_use *use, const hit_tile *tile)
{
    const size_t count = (size_t)hit_domain_count(&tile->domain);

    return use->mode == HIT_MODE_IN && !use->retained &&
           count <= kept_bytes / tile->storage->type.size_bytes;
}

/* The piece whose memory holds it all; they are disjoint. */
static int owning_piece(const hit_tile *tile, const hit_hulls *hulls,
                        const hit_domain *need)
{
    if (hit_domain_is_empty(need)) return tile->pieces > 0 ? 0 : -1;
    return hit_hulls_holding(hulls, need);
}

/* Where pieces of the indices lie is looked up in the pieces of the tile, which come in
 * the same order. */
typedef struct places {
    hit_hulls hulls; /* over what this process owns of the tile */
    int next;        /* behind the last anchor */
    bool stays;      /* in the tile's own memory, if a piece of that holds it all */
} places;

/* The piece around which the halo of piece @p k of the indices lies. */
static int anchor_piece(const hit_tile *tile, const hit_launch_plan *plan, places *at,
                        int k)
{
    for (int turn = 0; turn < tile->pieces; turn++) {
        const int own = (at->next + turn) % tile->pieces;
        const hit_domain index = hit_split_indices(&plan->split, &tile->owned[own]);

        if (!hit_domain_inside(&plan->index[k], &index)) continue;
        at->next = own + 1;
        return own;
    }
    return -1;
}

bool hit_use_is_scattered(const hit_use *use)
{
    return use->mode == HIT_MODE_OUT && use->pattern->lookups != NULL;
}

/* May the argument be in the tile's own memory while the launch runs? A result may, where
 * one process makes all of it, on devices that work in place, where no scheduler moves
 * it. One of the program's type may not: it goes through its combine at least once,
 * whatever the cuts (hit_sum_carry()). What is scattered may where superblocks follow
 * each other, or devices share the memory. */
static bool may_stay(const hit_use *use, const hit_call *call,
                     const hit_launch_plan *plan)
{
    const hit_stations *stations = call->context->stations;

    if (!hit_mode_reduces(use->mode) && !hit_use_is_scattered(use)) return true;
    if (stations->keeper.self != NULL) return false;
    if (hit_use_is_scattered(use)) {
        return call->context->size == 1 && plan->pieces == 1 &&
               (stations->count == 1 || stations->in_place);
    }
    return use->mode != HIT_MODE_REDUCE && call->context->size == 1 &&
           plan->pieces == 1 && hit_stations_in_place(stations) &&
           hit_pattern_is_exact(use->pattern, &use->tile, &plan->index[0]);
}

static void place(hit_use *use, const hit_tile *tile, places *at, hit_launch_plan *plan,
                  int k)
{
    const hit_type type = tile->storage->type;

    use->need[k] = hit_pattern_cover(use->pattern, &tile->domain, &plan->index[k]);
    use->piece[k] = -1;
    if (at->stays) use->piece[k] = owning_piece(tile, &at->hulls, &use->need[k]);
    if (use->piece[k] < 0 && use->retained) {
        use->piece[k] = anchor_piece(tile, plan, at, k);
    }
    if (use->piece[k] < 0) {
        const size_t bytes = (size_t)hit_domain_count(&use->need[k]) * type.size_bytes;

        if (use->kept) {
            use->offset_bytes[k] = use->memory_bytes;
            use->memory_bytes += hit_memory_padded(bytes);
        } else {
            use->offset_bytes[k] = hit_launch_plan_take(plan, bytes);
        }
    }
}

static hit_status place_all(hit_use *use, const hit_call *call, hit_launch_plan *plan)
{
    const hit_tile *tile = call->args[use->arg].tile;
    places at = {.stays = may_stay(use, call, plan)};

    HIT_TRY(hit_hulls_make(tile->owned, tile->pieces, &at.hulls));
    for (int k = 0; k < plan->pieces; k++) {
        place(use, tile, &at, plan, k);
    }
    hit_hulls_clear(&at.hulls);
    return HIT_OK;
}

/* Does an exchange move nothing: no messages, and every local element is in its place? */
static bool moves_nothing(const hit_use *use, const hit_message_plan *messages)
{
    if (messages->receives > 0 || messages->sends > 0) return false;
    for (int k = 0; k < messages->locals; k++) {
        const hit_transfer *t = &messages->transfer[k];

        if (t->constant || use->piece[t->user_piece] != t->owner_piece) return false;
        if (!hit_remap_is_identity(&t->remap, t->domain.dims)) return false;
    }
    return true;
}

hit_message_request hit_use_request(const hit_use *use, const hit_call *call,
                                    const hit_split *split, hit_direction direction)
{
    const hit_tile *tile = call->args[use->arg].tile;

    return (hit_message_request){.rank = call->context->rank,
                                 .ranks = call->context->size,
                                 .split = split,
                                 .layout = tile->storage->layout,
                                 .tile = tile->domain,
                                 .boundary = tile->boundary,
                                 .pattern =
                                     direction == HIT_RETURN ? use->writes : use->pattern,
                                 .size_bytes = tile->storage->type.size_bytes,
                                 .direction = direction};
}

static hit_status plan_exchange(hit_use *use, const hit_call *call,
                                const hit_split *split, hit_direction direction,
                                hit_exchange **exchange)
{
    const hit_message_request request = hit_use_request(use, call, split, direction);
    hit_message_plan messages;

    HIT_TRY(hit_message_plan_make(&request, &messages));
    if (moves_nothing(use, &messages)) {
        hit_message_plan_clear(&messages);
        return HIT_OK;
    }
    return hit_exchange_create(call->context->comm, &messages, use->arg, exchange);
}

/* A cover with holes is written back whole: what is in the holes must be there before,
 * and so must what indices write that do not run. */
bool hit_use_gathers(const hit_use *use, const hit_call *call)
{
    if (use->mode == HIT_MODE_OUT) {
        return !hit_where_is_boxes(call->where) ||
               (call->where != NULL && hit_kernel_is_ordered(call->kernel)) ||
               !hit_pattern_is_exact(use->pattern, &use->tile, &call->domain);
    }
    return use->mode == HIT_MODE_IN || use->mode == HIT_MODE_INOUT;
}

bool hit_use_may_hold(const hit_use *use)
{
    return use->mode == HIT_MODE_IN && !use->retained;
}

bool hit_use_stays(const hit_use *use)
{
    if (use->give_back != NULL || hit_mode_reduces(use->mode)) return false;
    if (use->piece[0] < 0) return use->has;
    return use->gather == NULL ||
           (use->holds && hit_exchange_plan(use->gather)->receives == 0);
}

static hit_status set_holds(hit_use *use, hit_storage *storage)
{
    const hit_message_plan *plan;
    int boxes = 0;

    if (use->gather == NULL || !hit_use_may_hold(use)) return HIT_OK;
    plan = hit_exchange_plan(use->gather);
    for (int k = 0; k < plan->sends; k++) {
        boxes += plan->send[k].one_box;
    }
    use->has = plan->receives == 1 && plan->receive[0].one_box;
    boxes += use->has;
    use->holds = boxes > 0;
    return use->holds ? hit_holds_reserve(storage, boxes) : HIT_OK;
}

/* A single process that writes its own memory has nothing to give back. */
static bool all_in_place(const hit_use *use, const hit_call *call,
                         const hit_launch_plan *plan)
{
    for (int k = 0; k < plan->pieces; k++) {
        if (use->piece[k] < 0) return false;
    }
    return call->context->size == 1;
}

/* Is it known without a look at the others that nothing moves? A process that runs no
 * index and owns no element has nothing to do with it; one that runs them all keeps to
 * itself where they touch its own elements as these lie. */
static bool stays_here(const hit_use *use, const hit_call *call,
                       const hit_launch_plan *plan)
{
    const hit_tile *tile = call->args[use->arg].tile;

    if (plan->pieces == 0) return tile->pieces == 0;
    return plan->pieces == 1 && use->piece[0] >= 0 &&
           hit_domain_equal(&plan->index[0], &call->domain) &&
           hit_domain_inside(&use->need[0], &tile->owned[use->piece[0]]);
}

hit_status hit_use_connect(hit_use *use, const hit_call *call, hit_launch_plan *plan)
{
    const hit_split *split = &plan->split;

    if (stays_here(use, call, plan)) return HIT_OK;
    if (hit_use_gathers(use, call)) {
        HIT_TRY(plan_exchange(use, call, split, HIT_GATHER, &use->gather));
        HIT_TRY(set_holds(use, call->args[use->arg].tile->storage));
    }
    if (use->mode != HIT_MODE_IN && !all_in_place(use, call, plan)) {
        HIT_TRY(plan_exchange(use, call, split, HIT_RETURN, &use->give_back));
    }
    if (use->gather != NULL) {
        use->gather_offset_bytes =
            hit_launch_plan_take(plan, hit_exchange_buffer_bytes(use->gather));
    }
    if (use->give_back != NULL) {
        use->return_offset_bytes =
            hit_launch_plan_take(plan, hit_exchange_buffer_bytes(use->give_back));
    }
    return HIT_OK;
}

hit_status hit_use_place(hit_use *use, const hit_call *call, hit_launch_plan *plan)
{
    const hit_tile *tile = call->args[use->arg].tile;
    const size_t pieces = (size_t)plan->pieces + 1;

    use->shape = tile->shape;
    HIT_TRY(hit_memory_zeroed(pieces, sizeof(hit_domain), &use->need));
    HIT_TRY(
        hit_memory_zeroed((size_t)call->context->devices, sizeof(hit_home), &use->home));
    use->homes = call->context->devices;
    HIT_TRY(hit_memory_zeroed(pieces, sizeof(int), &use->piece));
    HIT_TRY(hit_memory_zeroed(pieces, sizeof(size_t), &use->offset_bytes));
    HIT_TRY(hit_memory_zeroed(pieces, sizeof(hit_view), &use->user));
    HIT_TRY(hit_memory_zeroed((size_t)tile->pieces + 1, sizeof(hit_view), &use->owner));
    HIT_TRY(hit_use_set_retained(use, tile, &plan->split));
    use->kept = is_kept(use, tile);
    call->context->launcher->holds |= call->context->size > 1 && hit_use_may_hold(use);
    HIT_TRY(place_all(use, call, plan));
    if (hit_use_is_scattered(use) && (plan->pieces != 1 || use->piece[0] < 0)) {
        use->mode = HIT_MODE_SUM;
        use->marks = hit_marks_share(call->context->launcher->marks[use->arg]);
        plan->reduces = true;
    }
    if (use->memory_bytes == 0) return HIT_OK;
    HIT_TRY(hit_memory_take(use->memory_bytes, "a table that is kept", &use->memory));
    use->context = call->context;
    hit_context_holds(use->context, (int64_t)use->memory_bytes);
    hit_context_note_held(use->context);
    return HIT_OK;
}

void hit_use_give_memory(hit_use *use)
{
    if (use->memory != NULL) hit_context_holds(use->context, -(int64_t)use->memory_bytes);
    hit_memory_release(&use->memory);
    use->memory_bytes = 0;
}

void hit_use_clear(hit_use *use)
{
    for (int d = 0; d < use->homes; d++) {
        hit_residents_drop(&use->home[d]);
    }
    free(use->home);
    hit_exchange_destroy(&use->gather);
    hit_exchange_destroy(&use->give_back);
    free(use->need);
    free(use->piece);
    free(use->offset_bytes);
    hit_use_give_memory(use);
    free(use->user);
    free(use->owner);
    hit_marks_release(&use->marks);
}

void hit_use_shrink(const hit_use *use, const hit_layout *layout, const hit_split *split,
                    const hit_domain *owned, hit_domain *inner)
{
    const hit_domain index = *inner;
    const hit_domain need = hit_pattern_cover(use->pattern, &use->tile, &index);

    if (hit_domain_is_empty(&index)) return;
    for (int t = 0; t < owned->dims; t++) {
        const int d = split->follows[t];
        hit_index first;
        hit_index last;

        if (d < 0 || !hit_layout_splits(layout, t)) continue;
        first = owned->sig[t].begin - (need.sig[t].begin - index.sig[d].begin);
        last = owned->sig[t].end - (need.sig[t].end - index.sig[d].end);
        inner->sig[d] = hit_sig_intersect(inner->sig[d], hit_sig_make(first, last, 1));
    }
}

static hit_status grow(const hit_use *use, const hit_tile *tile, int pieces)
{
    for (int k = 0; k < pieces; k++) {
        if (use->piece[k] < 0) continue;
        HIT_TRY(
            hit_storage_cover(tile->storage, tile->piece[use->piece[k]], &use->need[k]));
    }
    return HIT_OK;
}

static void set_views(hit_use *use, const hit_tile *tile, int pieces, char *scratch)
{
    if (use->kept) scratch = use->memory;
    for (int k = 0; k < pieces; k++) {
        if (use->piece[k] >= 0) {
            use->user[k] = tile->storage->view[tile->piece[use->piece[k]]];
        } else {
            use->user[k] = hit_view_make(&use->need[k], tile->storage->type.size_bytes,
                                         scratch + use->offset_bytes[k]);
        }
    }
    if (use->gather != NULL || use->give_back != NULL) {
        hit_tile_owned_views(tile, use->owner);
    }
}

/* All arguments grow before views are set, since two of them may be the same tile. */
hit_status hit_launch_plan_refresh(hit_launch_plan *plan, const hit_call *call)
{
    HIT_TRY(hit_launcher_reserve(call->context, plan->scratch_bytes));
    for (int u = 0; u < plan->uses; u++) {
        HIT_TRY(grow(&plan->use[u], call->args[plan->use[u].arg].tile, plan->pieces));
    }
    for (int u = 0; u < plan->uses; u++) {
        set_views(&plan->use[u], call->args[plan->use[u].arg].tile, plan->pieces,
                  call->context->launcher->scratch);
    }
    return HIT_OK;
}

bool hit_use_loads(const hit_use *use, const hit_call *call,
                   const hit_known_kernel *known, const hit_domain *index)
{
    if (use->mode != HIT_MODE_OUT) return true;
    if (known->where != NULL && !hit_where_holds(known->where, index)) return true;
    if (known->point[use->arg]) return false;
    return !hit_pattern_is_exact(use->pattern, &call->args[use->arg].tile->domain, index);
}

/* ---- scratch memory of launches ---- */

/* A dry run writes nothing into it: it may be larger than this machine's memory. */
static hit_status take_scratch(const hit_context *context, size_t bytes, void **memory)
{
    const char *what = "temporary pieces and messages of a launch";

    return hit_comm_is_planned(context->comm) ? hit_memory_reserve(bytes, what, memory)
                                              : hit_memory_take(bytes, what, memory);
}

static void give_scratch(const hit_context *context, void **memory, size_t bytes)
{
    if (hit_comm_is_planned(context->comm)) {
        hit_memory_unreserve(memory, bytes);
    } else {
        hit_memory_release(memory);
    }
}

void hit_launcher_drop_scratch(hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    void *scratch = launcher->scratch;

    if (scratch == NULL) return;
    hit_device_unpin(hit_device_that_pins(context), scratch, launcher->scratch_bytes);
    give_scratch(context, &scratch, launcher->scratch_bytes);
    hit_context_holds(context, -(int64_t)launcher->scratch_bytes);
    launcher->scratch = NULL;
    launcher->scratch_bytes = 0;
}

hit_status hit_launcher_grow_scratch(hit_context *context, size_t size_bytes)
{
    hit_launcher *launcher = context->launcher;
    void *made = NULL;

    /* the old one goes last: launches that were planned before have messages in it */
    HIT_TRY(take_scratch(context, size_bytes, &made));
    hit_launcher_drop_scratch(context);
    hit_device_pin(hit_device_that_pins(context), made, size_bytes);
    hit_context_holds(context, (int64_t)size_bytes);
    hit_context_note_held(context);
    launcher->scratch = made;
    launcher->scratch_bytes = size_bytes;
    return HIT_OK;
}
