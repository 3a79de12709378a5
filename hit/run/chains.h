/* SPDX-License-Identifier: MIT
 * Internal: launches that are recorded, to be run as a chain (docs/chain.md). */
#ifndef HIT_RUN_CHAINS_H
#define HIT_RUN_CHAINS_H

#include "hit/run/run_impl.h"

/** As hit_chains_take() where it may join a block, or begin one. */
hit_status hit_chains_take_launch(hit_runner *r, bool *taken);

/** Record the launch whose slots and box are set. *taken is false if it must run now;
 * then what it depends on has run. A block that is full is run. @errors those of launches
 * that ran */
static inline hit_status hit_chains_take(hit_runner *r, bool *taken)
{
    const hit_chains *chains = (const hit_chains *)r->stations->recorded.block;

    *taken = false;
    if ((chains == NULL || chains->count == 0) &&
        (r->launcher->chain_room < 2 ||
         !hit_chains_may_begin(r->call->context, r->plan))) {
        return HIT_OK;
    }
    return hit_chains_take_launch(r, taken);
}

/** What is recorded on the stations of @p context, which own it. NULL: there is no
 * memory.
 */
hit_chains *hit_chains_of(const hit_context *context);
/** Record @p part of the launch, whose slots are set. *taken is false if it must run now;
 * then what it depends on has run. A block that is full is run. @errors those of launches
 * that ran */
hit_status hit_chains_record(hit_chains *chains, hit_runner *r,
                             const hit_chain_part *part, bool *taken);

#endif
