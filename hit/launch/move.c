/* SPDX-License-Identifier: MIT
 * Programs whose domain moves (tile factorisations, panels, diagonals) launch a kernel at
 * places that do not come again. Most of a plan does not depend on the place; what does
 * is little and computed at each of them, by the same functions that plan: nothing here
 * is guessed. Places that this does not describe, such as those that touch a boundary,
 * have plans of their own. */
#include "hit/launch/move.h"

#include "hit/base/context.h"
#include "hit/data/hash.h"
#include "hit/tile/station.h"
#include "patterns/transform.h"

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

uint64_t hit_move_class(const hit_call *call, const hit_known_kernel *known)
{
    const hit_context *context = call->context;
    const bool in_place = context->devices == 1 && context->stations->station[0].in_place;
    uint64_t hash = call->layout != NULL ? hit_layout_key(call->layout) : 0;

    hash = hit_hash_word(hash, known->number);
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile == NULL) continue;
        hash = hit_hash_word(hash, tile->family);
        if (!in_place) hash = hit_hash_extents(hash, &tile->domain);
    }
    return in_place ? hash : hash_extents_of_sum(hash, call);
}

/* ---- which plans may be moved ---- */

static bool uses_no_index(const hit_pattern *pattern)
{
    for (int d = 0; d < pattern->index_dims; d++) {
        if (hit_pattern_uses(pattern, d)) return false;
    }
    return true;
}

/* What is gathered or given back would be elsewhere at another place; a result that all
 * indices add to is where it was. */
static bool use_can(const hit_use *use, const hit_tile *tile)
{
    if (tile->storage->pieces != 1 || tile->pieces != 1) return false;
    if (!hit_domain_is_dense(&tile->domain) || use->gather != NULL) return false;
    if (hit_mode_reduces(use->mode)) return uses_no_index(use->pattern);
    return use->piece[0] == 0 && use->give_back == NULL &&
           hit_domain_inside(&use->need[0], &tile->owned[0]);
}

bool hit_move_can(const hit_launch_plan *plan, const hit_call *call)
{
    const hit_context *context = call->context;
    const bool in_place = context->stations->station[0].in_place;

    if (context->size > 1 || context->devices > 1 || call->layout != NULL) return false;
    if (!(in_place ? plan->known->regular : plan->known->shifts)) return false;
    if (plan->pieces != 1 || plan->parts != 1 || plan->overlaps) return false;
    if (!hit_domain_equal(&plan->index[0], &call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (!use_can(&plan->use[u], call->args[plan->use[u].arg].tile)) return false;
    }
    return true;
}

/* ---- moving ---- */

/* What one argument is at the new place. */
typedef struct moved {
    hit_domain need;
    bool loads;
} moved;

static bool look(const hit_launch_plan *plan, const hit_call *call, int u, moved *to)
{
    const hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;
    const bool point = plan->known->point[use->arg];

    if (tile->pieces != 1 || !hit_domain_is_dense(&tile->domain)) return false;
    to->need = hit_pattern_cover(use->pattern, &tile->domain, &call->domain);
    to->loads = true;
    if (use->piece[0] < 0) { /* a sum of all indices */
        return use->shape == tile->shape && hit_domain_equal(&to->need, &use->need[0]);
    }
    if (hit_domain_is_empty(&to->need)) return false;
    if (!hit_domain_inside(&to->need, &tile->owned[0])) return false;
    if (point) {
        to->loads = use->mode != HIT_MODE_OUT;
        return true;
    }
    if (use->mode == HIT_MODE_OUT) {
        to->loads = !hit_pattern_is_exact(use->pattern, &tile->domain, &call->domain);
    }
    return hit_launch_plan_check_inout(call, use->pattern, use->arg) == HIT_OK;
}

static void set_use(hit_launch_plan *plan, const hit_call *call, int u, const moved *to)
{
    hit_use *use = &plan->use[u];
    const hit_tile *tile = call->args[use->arg].tile;
    hit_claim *claim = &plan->part[0].claim[u];

    use->tile = tile->domain;
    use->shape = tile->shape;
    use->need[0] = to->need;
    claim->need = to->need;
    claim->loads = to->loads;
    plan->touched_bytes +=
        (uint64_t)hit_domain_count(&to->need) * tile->storage->type.size_bytes;
}

static bool is_there(const hit_launch_plan *plan, const hit_call *call)
{
    if (!hit_domain_equal(&plan->domain, &call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (plan->use[u].shape != call->args[plan->use[u].arg].tile->shape) return false;
    }
    return true;
}

bool hit_move(hit_launch_plan *plan, const hit_call *call)
{
    moved to[HIT_MAX_ARGS];

    if (is_there(plan, call)) return true;
    if (hit_domain_is_empty(&call->domain)) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (!look(plan, call, u, &to[u])) return false;
    }
    plan->domain = call->domain;
    plan->index[0] = call->domain;
    plan->indices = (uint64_t)hit_domain_count(&call->domain);
    plan->touched_bytes = 0;
    for (int u = 0; u < plan->uses; u++) {
        set_use(plan, call, u, &to[u]);
    }
    hit_parts_move(plan, call);
    return true;
}
