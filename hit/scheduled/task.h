/* SPDX-License-Identifier: MIT
 * Internal: a launch as a task. */
#ifndef HIT_SCHEDULED_TASK_H
#define HIT_SCHEDULED_TASK_H

#include "hit/scheduled/schedule_impl.h"

/** Why the launch cannot be a task, which has one box of each tile, all of it in the
 * tile's own memory, and nothing to be exchanged; NULL: it can. */
const char *hit_scheduled_task_refused(const hit_call *call, const hit_launch_plan *plan);
/** The task of a launch, with copies of its values; its data are not known yet.
 * @owner *task is the caller's: free() @errors HIT_E_NOMEM; HIT_E_ABSENT there is no
 * device on which it may run */
hit_status hit_scheduled_task_make(const hit_call *call, const hit_launch_plan *plan,
                                   hit_scheduled_task **task);
/** What its kernel gets on @p device, with its data in the memory @p node.
 * @errors those of memory; HIT_E_INTERNAL what it reads is not there */
hit_status hit_scheduled_task_begin(hit_scheduled *s, const hit_scheduled_task *task,
                                    int node, const hit_device *device, hit_run *run);
/** On several processes the content of the datum is lost (hit/tile/lost.h), by the last
 * failure of this thread, which was @p status. */
void hit_scheduled_datum_lose(const hit_scheduled *s, int datum, hit_status status);
/** Does an access to the datum come after a task that failed, or was cancelled, which is
 * not told yet? */
bool hit_scheduled_datum_fails(const hit_scheduled *s, int datum, bool writes);
/** The same of one of a task's data. */
bool hit_scheduled_task_is_cancelled(const hit_scheduled *s,
                                     const hit_scheduled_task *task);
/** Task @p number of the graph is over, and goes. @param done false: it was cancelled, so
 * that those behind it are, too, until that is told @param status of its kernel, with @p
 * text */
void hit_scheduled_task_end(hit_scheduled *s, int number, bool done, hit_status status,
                            const char *text);
/** The content of a datum is lost, by the failure that was just made. */
void hit_scheduled_copy_failed(hit_scheduled *s, int datum, hit_status status);

#endif
