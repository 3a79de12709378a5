/* SPDX-License-Identifier: MIT
 * Internal: which launches may be part of a chain, on one process and on several. */
#ifndef HIT_LAUNCH_CHAINABLE_H
#define HIT_LAUNCH_CHAINABLE_H

#include "hit/launch/launcher.h"

enum {
    HIT_CHAIN_VALUE_ROOM = 256 + 64 /* bytes for all values of a launch that waits, and
                                       for what aligns them */
};

/** Why no launch of such a plan can be, on one process or several; NULL: nothing of the
 * kernel is against it. */
const char *hit_chain_kernel_refused(const hit_call *call, const hit_launch_plan *plan);
/** Why such a plan's launches are part of chains on one process in place only; NULL: of
 * others, too. */
const char *hit_chain_own_refused(const hit_launch_plan *plan);
/** Why launches of a chain cannot fill in what @p need has beyond @p tile; NULL: they
 * can. */
const char *hit_chain_rims_against(const hit_tile *tile, const hit_domain *need);
/** May a chain begin with one of them? What they touch does not fit the cache, or the
 * device's memory; those that follow may be small. */
static inline bool hit_chains_may_begin(const hit_context *context,
                                        const hit_launch_plan *plan)
{
    const hit_launcher *launcher = context->launcher;

    if (!context->stations->station[0].in_place) {
        for (int k = 0; k < plan->parts; k++) {
            if (plan->part[k].superblocks.arena_bytes == 0) return false;
        }
        return plan->parts > 0;
    }
    return hit_launch_plan_touched(plan) > launcher->chain_cache_bytes ||
           launcher->chain_choice != NULL;
}
/** Does a launch go a way that others go: @p why is NULL? Else that is printed, if
 * HIT_CHAIN=say: "kernel NAME: WAY: WHY". To be asked once of a plan. */
bool hit_launch_takes(const hit_call *call, const char *way, const char *why);
/** Print why a chain ends, if HIT_CHAIN=say. */
void hit_chain_say_end(const hit_context *context, const char *why);

#endif
