/* SPDX-License-Identifier: MIT
 * Internal: deferred launches, which run side by side with later ones
 * (docs/decisions/0025-whole-boxes-run-side-by-side.md). */
#ifndef HIT_RUN_QUEUE_H
#define HIT_RUN_QUEUE_H

#include "hit/run/runner.h"

/** May this plan be deferred? Only if it runs in place and sends no messages. */
bool hit_queue_may_wait(const hit_call *call, const hit_launch_plan *plan);
/** Defer the launch whose slots and box are set. *taken is false if it must run now.
 * Deferred launches run first if this one depends on them. @errors those of launches that
 * ran */
hit_status hit_queue_add(hit_runner *r, bool *taken);

#endif
