/* SPDX-License-Identifier: MIT
 * Internal: launches of several processes that are recorded as chains (docs/chain.md). */
#ifndef HIT_RUN_CHAIN_DEEP_H
#define HIT_RUN_CHAIN_DEEP_H

#include "hit/deep/deep.h"
#include "hit/run/run_impl.h"

/** Let launches of @p context be recorded in blocks with deep halos from now on, if they
 * can be on all processes, as HIT_CHAIN says; nothing is recorded. One process has halos,
 * too, where tiles are periodic. @collective yes */
void hit_chains_open_around(hit_context *context);
/** What was recorded has run, and there are no chains of launches from now on. The next
 * call that waits tells what failed. */
void hit_chains_close_around(hit_context *context);
/** Could the launch be in such blocks of a context which has none yet, and in no others?
 * The program may not have asked for them. */
bool hit_chains_need_halos(const hit_call *call, const hit_launch_plan *plan);
/** Set how long chains may be: as on the process that allows least, and 0 where one has
 * no @p deep (NULL); from hit_chain() on, if HIT_CHAIN does not ask for them. What @p
 * deep has to know of the devices of all is set. @collective yes */
void hit_chains_agree(hit_context *context, hit_deep *deep);
/** What a process runs of a launch of a block, with its margins, is @p box: its indices,
 * and behind them, for each use, what they need (hit_deep_reached()). All is borrowed. */
hit_chain_part hit_chain_part_around(const hit_deep_form *form, const hit_domain box[],
                                     const hit_index move[]);
/** The same at home, of a plan with one piece of indices and what its uses need. */
hit_chain_part hit_chain_part_at_home(const hit_call *call, const hit_launch_plan *plan);
/** Take note of a launch, whose values are set, and record it on this process if it is
 * part of a block; else *taken is false, and what was recorded has run. @errors those of
 * launches that ran; HIT_E_COMM processes did not write a tile at the same places */
hit_status hit_chains_take_deep(hit_runner *r, bool *taken);

#endif
