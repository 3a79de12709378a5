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
/** The first device of a kind. */
hit_device *hit_real_device_of_kind(const hit_scheduled *s, int kind);
/** By a stored model of the kernel on such a device; 0: there is none. */
double hit_real_stored_ns(const hit_scheduled *s, const hit_call *call,
                          const hit_launch_plan *plan, int kind);
/** A work took so long on a device of that number in the engine. @errors HIT_E_NOMEM */
hit_status hit_real_learn_run(hit_scheduled *s, int work, int device, double seconds);
/** A copy took so long. @param in to the memory of @p node */
void hit_real_learn_copy(hit_scheduled *s, int node, bool in, int64_t bytes,
                         double seconds);

#endif
