/* SPDX-License-Identifier: MIT
 * Internal: a launch as a task of a simulated machine. */
#ifndef HIT_SCHEDULED_TASK_H
#define HIT_SCHEDULED_TASK_H

#include "hit/scheduled/schedule_impl.h"

/** Can the launch be a task: one box of each tile, all of it in the tile's own memory,
 * and nothing to be exchanged? */
bool hit_scheduled_task_is(const hit_call *call, const hit_launch_plan *plan);
/** The task of a launch, with copies of its values; its data are not known yet.
 * @owner *task is the caller's: free() @errors HIT_E_NOMEM; HIT_E_ABSENT there is no
 * device on which it may run */
hit_status hit_scheduled_task_make(const hit_call *call, const hit_launch_plan *plan,
                                   hit_scheduled_task **task);
/** Run it on its data in the memory @p node. @errors of its kernel; HIT_E_NOMEM;
 * HIT_E_INTERNAL what it reads is not there */
hit_status hit_scheduled_task_run(hit_scheduled *s, const hit_scheduled_task *task,
                                  int node);

/** Does it come after a task that failed, or was cancelled, which is not told yet? */
bool hit_scheduled_task_is_cancelled(const hit_scheduled *s,
                                     const hit_scheduled_task *task);
/** It is over. @param done false: it failed or was cancelled, so that those behind it are
 * cancelled until that is told */
void hit_scheduled_task_note(hit_scheduled *s, const hit_scheduled_task *task, bool done);

/** The name under which the machine knows a kernel: as much of "gemm_nt_double" as the
 * file has, "gemm"; where it has none of it, its own name, cut off, with @p known
 * false. @shape name: HIT_MACHINE_NAME */
void hit_scheduled_task_name(const hit_scheduled *s, const char *kernel, char *name,
                             bool *known);

#endif
