/* SPDX-License-Identifier: MIT
 * Internal: times of tasks that are kept in the store of models, where the scheduler's
 * option learn asks for it. */
#ifndef HIT_SCHEDULED_REAL_LESSONS_H
#define HIT_SCHEDULED_REAL_LESSONS_H

#include "hit/scheduled/real_impl.h"

/** Times of launches like this one, that of @p task, are to be kept.
 * @errors HIT_E_NOMEM; HIT_E_PATTERN */
hit_status hit_real_lessons_begin(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan,
                                  const hit_scheduled_task *task);
/** A task took so long on a kind of devices. */
void hit_real_lessons_note(hit_scheduled *s, const hit_scheduled_task *task, int kind,
                           double seconds);
/** Write what was learnt, and forget it. What fails is not told: it is a cache. */
void hit_real_lessons_close(hit_scheduled *s);

#endif
