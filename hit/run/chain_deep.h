/* SPDX-License-Identifier: MIT
 * Internal: launches of several processes that are recorded as chains (docs/chain.md). */
#ifndef HIT_RUN_CHAIN_DEEP_H
#define HIT_RUN_CHAIN_DEEP_H

#include "hit/run/deep.h"
#include "hit/run/runner.h"

/** Let launches of @p context, which has several processes, be recorded if they can be on
 * all of them, as HIT_CHAIN says. @collective yes */
void hit_chains_open_processes(hit_context *context);
/** Set how long chains may be: as on the process that allows least, and 0 where one has
 * no @p deep (NULL); from hit_chain() on, if HIT_CHAIN does not ask for them. What @p
 * deep has to know of the devices of all is set. @collective yes */
void hit_chains_agree(hit_context *context, hit_deep *deep);
/** Take note of a launch, whose values are set, and record it on this process if it is
 * part of a block; else *taken is false, and what was recorded has run. @errors those of
 * launches that ran; HIT_E_COMM processes did not write a tile at the same places */
hit_status hit_chains_take_deep(hit_runner *r, bool *taken);

#endif
