/* SPDX-License-Identifier: MIT
 * Internal: the machine of a simulator, and how it is carried out. */
#ifndef HIT_RUN_SIMULATE_OPEN_H
#define HIT_RUN_SIMULATE_OPEN_H

#include "hit/run/simulate_impl.h"

/** Read "FILE:gpus=2,noise=5,seed=1" and HIT_SCHED. @errors HIT_E_ARG, HIT_E_IO */
hit_status hit_simulator_read(hit_simulator *sim, const char *text);
/** "simulated NAME: 8 gpu 6 core". Never more than @p size bytes. */
void hit_simulator_describe(const hit_simulator *sim, char *text, size_t size);
/** Give back the simulation, its tasks and its data, so that a new one can begin. */
void hit_simulator_clear(hit_simulator *sim);

#endif
