/* SPDX-License-Identifier: MIT
 * A launch that is at another place in each step has a plan for each of them where plans
 * do not move (hit/launch/launch_plan.h), and all processes agree on a plan. In a block
 * they need not: that the next launch is of the class that is expected all of them see
 * alone.
 */
#include "hit/deep/deep_impl.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

/* A tile that is shared as the indices are; NULL: none of the launch is. */
static const hit_tile *find_tile(const hit_call *call, const hit_launch_plan *plan)
{
    const uint64_t key = hit_layout_key(plan->split.layout);

    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;

        if (hit_layout_key(tile->storage->layout) == key &&
            hit_domain_equal(&tile->domain, &plan->split.tile)) {
            return tile;
        }
    }
    return NULL;
}

void hit_deep_sketch_at(hit_launch_plan *plan, hit_domain *index, hit_domain need[])
{
    plan->index = index;
    plan->indices = (uint64_t)hit_domain_count(index);
    plan->pieces = plan->indices > 0;
    for (int u = 0; u < plan->uses; u++) {
        hit_use *use = &plan->use[u];

        use->need = &need[u];
        *use->need = hit_pattern_cover(use->pattern, &use->tile, index);
    }
}

/* The indices of this process: those of one box, as all launches of a block have. */
static void set_index(hit_deep *deep, const hit_tile *tile)
{
    hit_launch_plan *plan = &deep->sketch;
    hit_domain *index = &deep->sketch_index;

    *index = hit_domain_empty(plan->domain.dims);
    for (int k = 0; k < tile->pieces && hit_domain_is_empty(index); k++) {
        *index = hit_split_indices(&plan->split, &tile->owned[k]);
    }
    hit_deep_sketch_at(plan, index, deep->sketch_need);
    plan->touched_bytes = hit_launch_plan_count(plan); /* it may begin a chain by these */
}

/* Is the launch the next one of the block? Changes nothing. */
static bool is_expected(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    const hit_deep_form *made;
    char why[400];

    if (deep->now == NULL || !hit_deep_knows(deep, call, plan)) return false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_storage *storage = call->args[plan->use[u].arg].tile->storage;
        const hit_deep_tile *tile = hit_deep_find(deep, storage->number);

        if (tile != NULL && tile->looks != storage->looks) return false;
    }
    made = hit_deep_describe(deep, call, plan, why, sizeof(why));
    if (made == NULL) {
        const uint64_t key = hit_deep_home_key(call, plan);

        if (!hit_deep_knows_home(deep, key)) return false;
        made = hit_deep_describe_home(deep, call, plan, key);
    }
    return made != NULL && hit_deep_is_next(deep, made);
}

hit_launch_plan *hit_deep_sketch(hit_deep *deep, const hit_call *call,
                                 const hit_known_kernel *known)
{
    hit_launch_plan *plan = &deep->sketch;
    const hit_tile *tile;

    if (deep->now == NULL) return NULL;
    plan->known = known;
    plan->recent = &deep->context->launcher->recent_plan[HIT_MAX_PLANS];
    plan->runs = 1; /* what is asked at the first run is answered: it is in a block */
    if (hit_launch_plan_sketch(call, plan) != HIT_OK) return NULL;
    tile = find_tile(call, plan);
    if (tile == NULL) return NULL;
    set_index(deep, tile);
    return is_expected(deep, call, plan) ? plan : NULL;
}
