/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: launches that returned before they ran, since they may run
 * beside others that come later (docs/decisions/0025-whole-boxes-run-side-by-side.md). */
#ifndef HIT_LAUNCH_QUEUE_H
#define HIT_LAUNCH_QUEUE_H

#include "hit/launch/runner.h"

/** May a launch of this plan wait? Then it needs the tiles' own memory and nobody else's
 * process. */
bool hit_queue_may_wait(const hit_call *call, const hit_launch_plan *plan);
/** Let the launch wait, whose slots and box are set; *taken: it does, and else it is to
 * run now. What waited runs first if the launch needs its results. @errors those of what
 * ran */
hit_status hit_queue_add(hit_runner *r, bool *taken);
/** Run all that wait, and take the time. Whoever looks at the memory of a tile, or
 * changes it, comes here first. @errors those of the kernels, told only once */
hit_status hit_queue_run(hit_launcher *launcher);
/** The same before the memory of @p storage goes, if one that waits uses it: errors are
 * kept for the next who waits. */
void hit_queue_run_of(hit_launcher *launcher, const hit_storage *storage);
/** Accepts NULL in *queue; sets it to NULL. Nothing waits any more. */
void hit_queue_destroy(struct hit_queue **queue);

#endif
