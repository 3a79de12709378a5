/* SPDX-License-Identifier: MIT
 * Bounds on the time of a graph on a machine. */
#ifndef HIT_SCHED_BOUNDS_H
#define HIT_SCHED_BOUNDS_H

#include "hit/sched/graph.h"
#include "hit/sched/machine.h"

HIT_C_BEGIN

/** Lower bounds of the time of all tasks on the machine. */
typedef struct hit_bounds {
    int64_t path_ns; /**< the longest way, of the least times */
    int64_t area_ns; /**< all devices busy, tasks cut at will; 0: more than two kinds */
} hit_bounds;

/** @errors as hit_machine_devices(); HIT_E_NOMEM */
HIT_API hit_status hit_simulate_bounds(const hit_graph *graph, const hit_machine *machine,
                                       hit_bounds *bounds);

HIT_C_END

#endif
