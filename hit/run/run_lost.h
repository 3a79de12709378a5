/* SPDX-License-Identifier: MIT
 * Internal: a launch beside lost elements (hit/tile/lost.h). */
#ifndef HIT_RUN_RUN_LOST_H
#define HIT_RUN_RUN_LOST_H

#include "hit/launch/launch_plan.h"

/** Fail alike if the launch reads what is lost on this process. */
hit_status hit_launch_plan_check_lost(const hit_launch_plan *plan, const hit_call *call);
/** All that it should write here is lost, since it failed with @p status. */
void hit_launch_plan_lose(const hit_launch_plan *plan, const hit_call *call,
                          hit_status status);
/** It has written all that it overwrites. */
void hit_launch_plan_restore(const hit_launch_plan *plan, const hit_call *call);

#endif
