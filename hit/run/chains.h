/* SPDX-License-Identifier: MIT
 * Internal: launches that are recorded, to be run as a chain (docs/chain.md). */
#ifndef HIT_RUN_CHAINS_H
#define HIT_RUN_CHAINS_H

#include "hit/run/runner.h"

/** Let launches of @p context be recorded, as HIT_CHAIN says. @errors HIT_E_ARG */
hit_status hit_chains_open(hit_context *context);
/** May the launches of this plan be part of a chain? */
bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan);
/** Record the launch whose slots and box are set. *taken is false if it must run now;
 * then what it depends on has run. A block that is full is run. @errors those of launches
 * that ran */
hit_status hit_chains_take(hit_runner *r, bool *taken);

#endif
