/* SPDX-License-Identifier: MIT
 * Bounds on the time of a graph on a machine. */
#ifndef HIT_SCHED_BOUNDS_H
#define HIT_SCHED_BOUNDS_H

#include "hit/sched/clock.h"

HIT_C_BEGIN

/** @errors as hit_machine_devices(); HIT_E_NOMEM */
HIT_API hit_status hit_simulate_bounds(const hit_graph *graph, const hit_machine *machine,
                                       hit_bounds *bounds);

HIT_C_END

#endif
