/* SPDX-License-Identifier: MIT
 * Internal: launches that run. */
#ifndef HIT_RUN_LIVE_H
#define HIT_RUN_LIVE_H

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

#endif
