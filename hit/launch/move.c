/* SPDX-License-Identifier: MIT
 * Programs whose domain moves (tile factorisations, panels, diagonals) launch a kernel at
 * places that do not come again. Most of a plan does not depend on the place; what does
 * is little: what is needed lies as far away as the domain does, or is computed by the
 * functions that plan. Nothing here is guessed. Places that this does not describe, such
 * as those that touch a boundary, have plans of their own. */
#include "hit/data/hash.h"
#include "hit/launch/launcher.h"
#include "hit/topo/layout_impl.h"
#include "patterns/parse.h"

#include <string.h>

/* With the extents of the domain: how dimensions that are traversed together lie to each
 * other, since a sum over them can be cut only where they are the same. */
static uint64_t hash_extents_of_sum(uint64_t hash, const hit_call *call)
{
    const hit_kernel *kernel = call->kernel;
    hit_index first = 0;

    for (int k = 0; k < kernel->alongs; k++) {
        const hit_along *along = &kernel->along[k];
        const hit_index begin = call->args[along->arg].tile->domain.sig[along->dim].begin;

        if (k == 0) first = begin;
        hash = hit_hash_word(hash, (uint64_t)begin - (uint64_t)first);
    }
    return hit_hash_extents(hash, &call->domain);
}

/* Of the kernel and its arguments. */
static uint64_t class_of(const hit_call *call, uint64_t kernel, bool extents)
{
    uint64_t hash = call->layout != NULL ? hit_layout_key(call->layout) : 0;

    hash = hit_hash_word(hash, kernel);
    if (call->on != NULL) hash = hit_hash(hash, call->on, strlen(call->on));
    if (call->alias != 0) hash = hit_hash_word(hash, call->alias);
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile == NULL) continue;
        hash = hit_hash_word(hash, tile->family);
        if (extents) hash = hit_hash_extents(hash, &tile->domain);
    }
    return hash;
}

uint64_t hit_move_class(const hit_call *call, const hit_known_kernel *known)
{
    /* else what devices do depends on extents */
    const bool in_place = hit_stations_in_place(call->context->stations);
    const uint64_t hash = class_of(call, known->of->number, !in_place);

    return in_place ? hash : hash_extents_of_sum(hash, call);
}

uint64_t hit_move_kind(const hit_call *call)
{
    const hit_kernel *kernel = call->kernel;
    const unsigned looked =
        hit_kernel_looks_in(kernel, -1) | hit_where_looks_in(call->where);
    hit_index number[HIT_MAX_ARGS];
    uint64_t hash = hit_known_kernel_hash(kernel);

    hash = hit_hash_word(hash, (uint64_t)(kernel->host != NULL) * 2 +
                                   (uint64_t)(kernel->cuda != NULL));
    for (int k = 0; k < kernel->args; k++) {
        hash = hit_hash_word(hash, (uint64_t)kernel->arg[k].mode);
    }
    for (unsigned left = hit_kernel_names(kernel, -1); left != 0; left &= left - 1) {
        const hit_arg *value = &call->args[__builtin_ctz(left)];

        hash = hit_hash(hash, value->value, value->type.size_bytes);
    }
    hit_lookups_numbers(call, looked, number);
    for (unsigned left = looked; left != 0; left &= left - 1) {
        hash = hit_hash_word(hash, (uint64_t)number[__builtin_ctz(left)]);
    }
    return class_of(call, hit_where_hash(hash, call->where), false);
}

/* ---- what all processes know ---- */

/* What the arguments need over the whole domain, and who owns it if one process does. */
typedef struct place {
    hit_domain need[HIT_MAX_ARGS]; /* by the number of the argument */
    int owner;
} place;

/* Does one process own all that the argument needs, the one that owns the others'? */
static bool has_one_owner(const hit_tile *tile, const hit_domain *need, int *owner)
{
    const hit_layout *layout = tile->storage->layout;
    hit_index corner[HIT_MAX_DIMS] = {0};
    hit_domain box;
    int found;

    for (int t = 0; t < need->dims; t++) {
        corner[t] = need->sig[t].begin;
    }
    if (!hit_layout_box(layout, corner, &box)) return false;
    if (!hit_domain_inside(need, &box)) return false;
    found = hit_layout_owner(layout, corner);
    if (*owner < 0) *owner = found;
    return *owner == found;
}

/* Set *need to what use @p u needs at the call's place: what it needs at the plan's, as
 * far away as the domain is. False: it follows from the place in another way. */
static bool shift_need(const hit_launch_plan *plan, const hit_call *call,
                       const hit_known_kernel *known, int u, hit_domain *need)
{
    const hit_use *use = &plan->use[u];
    const hit_pattern_bounds *bounds = &known->bounds[use->arg];

    if (!bounds->simple || use->shape != call->args[use->arg].tile->shape) return false;
    *need = use->need[0];
    for (int t = 0; t < need->dims; t++) {
        const int d = bounds->of[t].follows;

        if (bounds->of[t].less >= 0) return false;
        if (d < 0) continue;
        need->sig[t] =
            hit_sig_shift(need->sig[t], (hit_index)((uint64_t)call->domain.sig[d].begin -
                                                    (uint64_t)plan->domain.sig[d].begin));
    }
    return true;
}

bool hit_move_keeps_extents(const hit_launch_plan *plan, const hit_call *call)
{
    for (int d = 0; d < call->domain.dims; d++) {
        const hit_sig *is = &call->domain.sig[d];
        const hit_sig *was = &plan->domain.sig[d];

        if ((uint64_t)is->end - (uint64_t)is->begin !=
                (uint64_t)was->end - (uint64_t)was->begin ||
            is->stride != was->stride) {
            return false;
        }
    }
    return true;
}

/* A result of all indices is where it was; all other elements lie in the tile. Where all
 * was @p shifted alike, indices that did not meet at the plan's place do not meet here.
 */
static bool use_fits(const hit_launch_plan *plan, const hit_call *call,
                     const hit_known_kernel *known, int u, const hit_domain *need,
                     bool shifted)
{
    const hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;

    if (!hit_domain_is_dense(&tile->domain)) return false;
    if (hit_mode_reduces(use->mode)) {
        return use->shape == tile->shape && hit_domain_equal(need, &use->need[0]);
    }
    if (hit_domain_is_empty(need)) return false;
    if (!hit_domain_inside(need, &tile->domain)) return false;
    if (shifted || use->mode != HIT_MODE_INOUT || known->point[use->arg]) return true;
    return hit_launch_plan_check_inout(call, &known->pattern[use->arg], use->arg) ==
           HIT_OK;
}

/* Does what is written lie apart from what the others touch? */
static bool is_apart(const hit_use *use, const hit_domain need[])
{
    for (unsigned left = use->beside; left != 0; left &= left - 1) {
        if (hit_domain_meets(&need[use->arg], &need[__builtin_ctz(left)])) return false;
    }
    return true;
}

static bool fits(const hit_launch_plan *plan, const hit_call *call,
                 const hit_known_kernel *known, hit_moves moves, place *at)
{
    /* a plan that does not move yet was at no place */
    const bool shifts = plan->moves == HIT_MOVES_ALONE && plan->known == known &&
                        hit_move_keeps_extents(plan, call);

    at->owner = moves == HIT_MOVES_OWNED ? -1 : 0;
    if (hit_domain_is_empty(&call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = call->args[use->arg].tile;
        hit_domain *need = &at->need[use->arg];
        const bool shifted = shifts && shift_need(plan, call, known, u, need);

        if (!shifted) {
            hit_known_kernel_cover(known, use->arg, &tile->domain, &call->domain, need);
        }
        if (!use_fits(plan, call, known, u, need, shifted)) return false;
        if (moves != HIT_MOVES_OWNED) continue;
        if (!has_one_owner(tile, need, &at->owner)) return false;
    }
    for (int u = 0; u < plan->uses && plan->alias != 0; u++) {
        if (!is_apart(&plan->use[u], at->need)) return false;
    }
    return true;
}

/* ---- which plans may be moved ---- */

static bool uses_no_index(const hit_pattern *pattern)
{
    for (int d = 0; d < pattern->index_dims; d++) {
        if (hit_pattern_uses(pattern, d)) return false;
    }
    return true;
}

/* What is gathered or given back would be elsewhere at another place. */
static bool stays_alone(const hit_use *use, const hit_tile *tile)
{
    if (tile->storage->pieces != 1 || use->gather != NULL) return false;
    if (hit_mode_reduces(use->mode)) return uses_no_index(use->pattern);
    return use->piece[0] == 0 && use->give_back == NULL;
}

static bool is_alone(const hit_launch_plan *plan, const hit_call *call)
{
    if (plan->pieces != 1 || plan->parts == 0) return false;
    if (plan->parts > 1 && (plan->reduces || plan->shares != NULL)) return false;
    if (!hit_domain_equal(&plan->index[0], &call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (!stays_alone(use, call->args[use->arg].tile)) return false;
    }
    return true;
}

/* Is the element of each dimension that is cut the one by which the indices are split?
 * Single: of layouts that give each process a box, all arguments have the same. */
static bool use_is_aligned(const hit_launch_plan *plan, const hit_call *call,
                           const hit_known_kernel *known, int u)
{
    const hit_use *use = &plan->use[u];
    const hit_pattern *pattern = &known->pattern[use->arg];
    const hit_layout *layout = call->args[use->arg].tile->storage->layout;

    if (!use->retained || !use->single || hit_mode_reduces(use->mode)) return false;
    for (int t = 0; t < use->tile.dims; t++) {
        if (!hit_layout_splits(layout, t)) continue;
        for (int k = 0; k < pattern->count; k++) {
            const hit_range *range = &pattern->access[k].range[t];

            if (range->begin.offset != plan->split.offset[t]) return false;
            if (range->end.offset != plan->split.offset[t]) return false;
        }
    }
    return true;
}

static bool is_aligned(const hit_launch_plan *plan, const hit_call *call,
                       const hit_known_kernel *known)
{
    for (int u = 0; u < plan->uses; u++) {
        if (!known->regular || !use_is_aligned(plan, call, known, u)) return false;
    }
    return true;
}

hit_moves hit_move_can(const hit_launch_plan *plan, const hit_call *call)
{
    hit_moves moves = HIT_MOVES_ALONE;
    place at;

    if (call->layout != NULL || plan->known->where != NULL) return HIT_STAYS;
    if (plan->known->looked != 0) return HIT_STAYS;
    if (!hit_stations_in_place(call->context->stations) && !plan->known->shifts) {
        return HIT_STAYS;
    }
    if (call->context->size > 1) {
        if (plan->reduces) return HIT_STAYS;
        moves = is_aligned(plan, call, plan->known) ? HIT_MOVES_ALIGNED : HIT_MOVES_OWNED;
    } else if (!is_alone(plan, call)) {
        return HIT_STAYS;
    }
    return fits(plan, call, plan->known, moves, &at) ? moves : HIT_STAYS;
}

/* ---- moving ---- */

/* The indices of this process. */
static hit_domain indices_here(hit_launch_plan *plan, const hit_call *call,
                               const place *at)
{
    const hit_tile *tile = call->args[plan->use[0].arg].tile;
    const bool mine = plan->moves == HIT_MOVES_ALIGNED ? tile->pieces > 0
                                                       : at->owner == call->context->rank;

    if (!mine) return hit_domain_empty(call->domain.dims);
    if (plan->moves != HIT_MOVES_ALIGNED) return call->domain;
    return hit_split_indices(&plan->split, &tile->owned[0]);
}

static int piece_of(const hit_tile *tile, const hit_domain *need)
{
    int k = 0;

    while (k < tile->pieces - 1 && !hit_domain_inside(need, &tile->owned[k])) {
        k++;
    }
    return k;
}

static void set_use(hit_launch_plan *plan, const hit_call *call, int u,
                    const hit_domain *need)
{
    hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;

    if (use->shape != tile->shape) {
        use->tile = tile->domain;
        use->shape = tile->shape;
    }
    if (plan->pieces == 0) return;
    if (plan->moves != HIT_MOVES_ALIGNED) {
        use->need[0] = *need;
    } else {
        hit_known_kernel_cover(plan->known, use->arg, &use->tile, &plan->index[0],
                               &use->need[0]);
    }
    if (!hit_mode_reduces(use->mode)) use->piece[0] = piece_of(tile, &use->need[0]);
}

static bool is_there(const hit_launch_plan *plan, const hit_call *call,
                     const hit_known_kernel *known)
{
    if (plan->known != known) return false;
    if (!hit_domain_equal(&plan->domain, &call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (plan->use[u].shape != call->args[plan->use[u].arg].tile->shape) return false;
    }
    return true;
}

static bool has_sum(const hit_launch_plan *plan)
{
    for (int k = 0; k < plan->parts; k++) {
        if (plan->part[k].superblocks.sum.args > 0) return true;
    }
    return false;
}

/* Does a plan serve other numbers in its patterns, too? Where they are offsets, elements
 * are elsewhere; through a device's memory, and of results, as many, as far from each
 * other. */
static bool serves_numbers(const hit_launch_plan *plan, const hit_call *call,
                           const hit_known_kernel *known)
{
    const bool in_place = hit_stations_in_place(call->context->stations);

    if (plan->known == known) return true;
    if (!in_place && has_sum(plan)) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const bool whole = !in_place || hit_mode_reduces(use->mode);

        if (!hit_pattern_is_moved(use->pattern, &known->pattern[use->arg], whole)) {
            return false;
        }
    }
    return plan->moves != HIT_MOVES_ALIGNED || is_aligned(plan, call, known);
}

/* Does each dimension of the split's tile follow an index? */
static bool follows_all(const hit_split *split)
{
    for (int t = 0; t < split->tile.dims; t++) {
        if (split->follows[t] < 0) return false;
    }
    return true;
}

/* All processes find the same, of which blocks over processes are made. Where all that is
 * needed lies in the tiles, what the indices follow is the same at each place, and in
 * each tile, but for elements that lie where a tile begins. */
static bool set_split(hit_launch_plan *plan, const hit_call *call,
                      const hit_known_kernel *known)
{
    hit_split *split = &plan->split;
    const hit_tile *tile = call->args[split->arg].tile;
    hit_split made;

    if (plan->known != known) return hit_call_split(call, known, split) == HIT_OK;
    split->index = call->domain;
    split->layout = tile->storage->layout;
    if (hit_domain_equal(&split->tile, &tile->domain)) return true;
    if (plan->moves == HIT_MOVES_ALONE && follows_all(split)) {
        split->tile = tile->domain;
        return true;
    }
    if (hit_split_by_pattern(tile->storage->layout, &tile->domain,
                             &known->pattern[split->arg], &call->domain,
                             &made) != HIT_OK) {
        return false;
    }
    made.joined = split->joined;
    made.arg = split->arg;
    *split = made;
    return true;
}

static void set_known(hit_launch_plan *plan, const hit_known_kernel *known)
{
    plan->known = known;
    for (int u = 0; u < plan->uses; u++) {
        plan->use[u].pattern = &known->pattern[plan->use[u].arg];
        plan->use[u].writes = &known->writes[plan->use[u].arg];
    }
}

bool hit_move(hit_launch_plan *plan, const hit_call *call, const hit_known_kernel *known)
{
    place at;

    if (is_there(plan, call, known)) return true;
    if (!hit_domain_is_dense(&call->domain) &&
        hit_domain_check(&call->domain) != HIT_OK) {
        return false;
    }
    if (!serves_numbers(plan, call, known)) return false;
    if (!fits(plan, call, known, plan->moves, &at)) return false;
    if (!set_split(plan, call, known)) return false;
    if (call->context->devices > 1) hit_parts_shift(plan, call);
    if (plan->known != known) set_known(plan, known);
    plan->domain = call->domain;
    plan->place++;
    plan->index[0] = indices_here(plan, call, &at);
    plan->pieces = !hit_domain_is_empty(&plan->index[0]);
    plan->indices = (uint64_t)hit_domain_count(&plan->index[0]);
    for (int u = 0; u < plan->uses; u++) {
        set_use(plan, call, u, &at.need[plan->use[u].arg]);
    }
    /* chains ask for it at each launch, others seldom */
    plan->touched_bytes = plan->records ? hit_launch_plan_count(plan) : 0;
    plan->light = hit_launch_plan_is_light(plan, call);
    hit_parts_move(plan, call);
    return true;
}
