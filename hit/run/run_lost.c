/* SPDX-License-Identifier: MIT
 * What a launch reads and writes, as far as this process owns it, beside what is lost. */
#include "hit/run/live.h"
#include "hit/tile/tile_impl.h"
#include "patterns/transform.h"

/* What all processes write. */
static hit_domain written_by(const hit_call *call, const hit_use *use)
{
    return hit_pattern_cover(use->writes, &hit_use_tile(use, call)->domain,
                             &call->domain);
}

/* Does it matter what was there before? Not where a sum begins anew; between elements
 * that are written where data says it does. */
static bool overwrites(const hit_launch_plan *plan, const hit_call *call,
                       const hit_use *use)
{
    if (hit_mode_reduces(use->mode)) return use->pattern->lookups == NULL;
    return !hit_use_loads(use, call, plan->known, &call->domain);
}

hit_status hit_launch_plan_check_lost(const hit_launch_plan *plan, const hit_call *call)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (!hit_storage_has_lost(hit_use_tile(use, call)->storage)) continue;
        if (use->mode != HIT_MODE_IN && use->mode != HIT_MODE_INOUT) continue;
        for (int k = 0; k < plan->pieces; k++) {
            const hit_domain need =
                hit_pattern_cover(use->pattern, &use->tile, &plan->index[k]);

            HIT_TRY(hit_tile_check_lost(hit_use_tile(use, call), &need));
        }
    }
    return HIT_OK;
}

void hit_launch_plan_lose(const hit_launch_plan *plan, const hit_call *call,
                          hit_status status)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_domain cover = written_by(call, use);

        if (use->mode == HIT_MODE_IN) continue;
        hit_tile_lose(hit_use_tile(use, call), &cover, status);
    }
}

void hit_launch_plan_restore(const hit_launch_plan *plan, const hit_call *call)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = hit_use_tile(use, call);
        hit_domain cover;

        if (use->mode == HIT_MODE_IN || !hit_storage_has_lost(tile->storage)) continue;
        if (!overwrites(plan, call, use)) continue;
        cover = written_by(call, use);
        hit_tile_restore(tile, &cover);
    }
}
