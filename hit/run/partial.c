/* SPDX-License-Identifier: MIT
 * Initialises reduction buffers with the identity. Devices that reduce into the same
 * elements get private buffers. */
#include "hit/run/run_impl.h"
#include "patterns/reduce.h"

/* In a buffer of the launch, or where the tile itself has the result. */
static hit_status start_reduction(const hit_runner *r, const hit_use *use)
{
    const hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
    const hit_tile *tile = r->call->args[use->arg].tile;

    for (int k = 0; k < r->plan->pieces; k++) {
        const int own = use->piece[k];
        char identity[HIT_MAX_NUMBER_BYTES];

        if (own < 0) {
            HIT_TRY(hit_reduce_identity(how, use->user[k].data,
                                        hit_domain_count(&use->need[k])));
            continue;
        }
        HIT_TRY(hit_reduce_identity(how, identity, 1));
        hit_view_fill(&tile->storage->view[tile->piece[own]], &use->need[k], identity);
    }
    return HIT_OK;
}

/* Buffers for what several devices add to, each its own. */
static hit_status start_partials(const hit_runner *r)
{
    for (int k = 0; k < r->plan->parts && r->plan->partials; k++) {
        for (int u = 0; u < r->plan->uses; u++) {
            const hit_use *use = &r->plan->use[u];
            const hit_reducer how = hit_reducer_of(r->call->kernel, use->arg);
            hit_claim *claim = &r->plan->part[k].claim[u];

            if (!claim->partial) continue;
            claim->own = hit_view_make(&claim->need, how.type.size_bytes,
                                       r->launcher->scratch + claim->offset_bytes);
            HIT_TRY(hit_reduce_identity(how, claim->own.data,
                                        hit_domain_count(&claim->need)));
        }
    }
    return HIT_OK;
}

hit_status hit_runner_start_sums(const hit_runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (hit_mode_reduces(use->mode)) HIT_TRY(start_reduction(r, use));
    }
    return start_partials(r);
}

hit_status hit_runner_end_sums(const hit_runner *r)
{
    if (r->phase == HIT_PHASE_INNER) return HIT_OK; /* the rest is to come */
    for (int k = 0; k < r->plan->parts && r->plan->partials; k++) {
        const hit_part *part = &r->plan->part[k];

        for (int u = 0; u < r->plan->uses; u++) {
            const hit_use *use = &r->plan->use[u];
            const hit_claim *claim = &part->claim[u];

            if (!claim->partial) continue;
            HIT_TRY(hit_reduce_combine(hit_reducer_of(r->call->kernel, use->arg),
                                       &use->user[part->piece], &claim->own,
                                       &claim->need));
        }
    }
    return HIT_OK;
}
