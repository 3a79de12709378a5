/* SPDX-License-Identifier: MIT
 * Internal: launches that run. */
#ifndef HIT_RUN_LIVE_H
#define HIT_RUN_LIVE_H

#include "hit/launch/call.h"
#include "hit/launch/launch_plan.h"
#include "hit/run/run_impl.h"

extern const hit_executor hit_executor_live;

/** Carry a plan out on the call's tiles and values. */
hit_status hit_live_run(const hit_call *call, hit_launch_plan *plan);
/** In a dry run of one process: record a launch as if it were to run. *taken: it is in a
 * block. @errors HIT_E_NOMEM */
hit_status hit_live_record(const hit_call *call, hit_launch_plan *plan, bool *taken);
/** In a dry run of several processes: record a launch as if the process that has @p part,
 * which is elsewhere, were to run it, in @p chains, which are those of the stations.
 * @errors HIT_E_NOMEM */
hit_status hit_live_record_part(hit_chains *chains, const hit_call *call,
                                hit_launch_plan *plan, const hit_chain_part *part);

/* checked.c: launches that are checked (HIT_CHECK, HIT_COMPARE, HIT_INFER) before or
 * after they run. */

/** Read the environment of process 0; if it asks for checks, they are the context's
 * executor. @collective yes @errors HIT_E_ARG a variable has an unknown value */
hit_status hit_checked_open(hit_context *context);

/* run_lost.c: a launch beside lost elements (hit/tile/tile_impl.h). */

/** Fail alike if the launch reads what is lost on this process. */
hit_status hit_launch_plan_check_lost(const hit_launch_plan *plan, const hit_call *call);
/** All that it should write here is lost, since it failed with @p status. */
void hit_launch_plan_lose(const hit_launch_plan *plan, const hit_call *call,
                          hit_status status);
/** It has written all that it overwrites. */
void hit_launch_plan_restore(const hit_launch_plan *plan, const hit_call *call);

#endif
