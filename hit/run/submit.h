/* SPDX-License-Identifier: MIT
 * Internal: launches that become tasks (docs/scheduling.md), and those that run at once
 * behind them. */
#ifndef HIT_RUN_SUBMIT_H
#define HIT_RUN_SUBMIT_H

#include "hit/run/runner.h"

/** May launches by this plan become tasks? Only if they run in place on all devices of
 * the only process, and leave nothing to be done afterwards. */
bool hit_submit_may(const hit_call *call, const hit_launch_plan *plan);
/** Make tasks of the launch, whose slots are set. *taken is false if it must run now;
 * then it may, what it comes after is over.
 * @errors those of tasks that failed and that it comes after */
hit_status hit_submit(hit_runner *r, bool *taken);
/** Before a launch that does not become tasks: wait for those that it comes after, and
 * let the device have all its threads until hit_tasks_resume(). @errors as above */
hit_status hit_submit_wait(hit_runner *r);

#endif
