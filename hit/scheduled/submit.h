/* SPDX-License-Identifier: MIT
 * Internal: launches become tasks. */
#ifndef HIT_SCHEDULED_SUBMIT_H
#define HIT_SCHEDULED_SUBMIT_H

#include "hit/scheduled/schedule_impl.h"

/** Let a launch, for which hit_scheduled_task_refused() is NULL, wait in the window.
 * There is an engine. *taken is false where it must be cut to fit a memory.
 * @errors HIT_E_LIMIT, HIT_E_ARG no device can run it; HIT_E_NOMEM; those of
 * hit_scheduled_drain() */
hit_status hit_scheduled_submit(hit_scheduled *s, const hit_call *call,
                                hit_launch_plan *plan, bool *taken);
/** How long a kernel takes of which nothing is known: it moves 8 bytes in a nanosecond.
 */
int64_t hit_scheduled_guessed_ns(int64_t bytes);

#endif
