/* SPDX-License-Identifier: MIT
 * Internal: the devices of a process as a machine, as the engine sees it, and what is
 * learnt of it. Nothing that changes results follows from times. */
#ifndef HIT_SCHEDULED_REAL_MACHINE_H
#define HIT_SCHEDULED_REAL_MACHINE_H

#include "hit/scheduled/real_impl.h"

/** Set s->machine, s->devices, and what the driver knows of them. @errors HIT_E_NOMEM */
hit_status hit_real_make_machine(hit_scheduled *s);
/** A member of the driver's table. */
hit_status hit_real_find_work(hit_scheduled *s, const hit_call *call,
                              const hit_launch_plan *plan, const hit_scheduled_task *task,
                              int64_t bytes, int *work);
/** A work took so long on a device of that number in the engine. @errors HIT_E_NOMEM */
hit_status hit_real_learn_run(hit_scheduled *s, int work, int device, double seconds);
/** A copy took so long. @param in to the memory of @p node */
void hit_real_learn_copy(hit_scheduled *s, int node, bool in, int64_t bytes,
                         double seconds);

#endif
