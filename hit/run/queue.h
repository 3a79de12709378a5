/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: launches that returned before they ran, since they may run
 * beside others that come later (docs/decisions/0025-whole-boxes-run-side-by-side.md). */
#ifndef HIT_RUN_QUEUE_H
#define HIT_RUN_QUEUE_H

#include "hit/run/runner.h"

/** May a launch of this plan wait? Then it needs the tiles' own memory and nobody else's
 * process. */
bool hit_queue_may_wait(const hit_call *call, const hit_launch_plan *plan);
/** Let the launch wait, whose slots and box are set; *taken: it does, and else it is to
 * run now. What waited runs first if the launch needs its results. @errors those of what
 * ran */
hit_status hit_queue_add(hit_runner *r, bool *taken);

#endif
