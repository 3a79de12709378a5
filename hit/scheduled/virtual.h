/* SPDX-License-Identifier: MIT
 * Internal: the machine of a simulator, and how it is carried out. */
#ifndef HIT_SCHEDULED_VIRTUAL_H
#define HIT_SCHEDULED_VIRTUAL_H

#include "hit/scheduled/schedule_impl.h"

/** Read "FILE:gpus=2,noise=5,seed=1" and HIT_SCHED. @errors HIT_E_ARG, HIT_E_IO */
hit_status hit_scheduled_read(hit_scheduled *s, const char *text);
/** "simulated NAME: 8 gpu 6 core". Never more than @p size bytes. */
void hit_scheduled_describe(const hit_scheduled *s, char *text, size_t size);
/** Give back the simulation, its tasks and its data, so that a new one can begin. */
void hit_scheduled_clear(hit_scheduled *s);

#endif
