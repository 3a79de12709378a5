/* SPDX-License-Identifier: MIT
 * The driver of the engine whose time is virtual: kernels and copies take what the
 * machine file says, links carry one copy after the other. */
#ifndef HIT_SCHED_CLOCK_H
#define HIT_SCHED_CLOCK_H

#include "hit/sched/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hit_simulate_options {
    hit_engine_options engine;
    /** Standard deviation of kernels' times, of which schedulers know nothing, in
     * hundredths of their times; 0: none. */
    int noise_percent;
    /** Called for each action when its start and its end are known; may be NULL. */
    void (*watch)(void *self, const hit_action *action, int64_t start_ns, int64_t end_ns);
    void *self;
} hit_simulate_options;

/** What came out. */
typedef struct hit_simulated {
    int64_t end_ns;      /**< of the last task */
    int64_t moved_bytes; /**< by all copies: one between accelerators counts twice */
    int64_t copies;
    int tasks;
    int devices;
    int ran[HIT_MACHINE_DEVICES];         /**< tasks per device */
    int64_t busy_ns[HIT_MACHINE_DEVICES]; /**< per device */
} hit_simulated;

/** Run the tasks of @p graph on @p machine.
 * @errors as hit_engine_open() and hit_engine_submit(); HIT_E_INTERNAL the scheduler
 * keeps tasks and gives them to no device */
HIT_API hit_status hit_simulate(const hit_graph *graph, const hit_machine *machine,
                                const hit_scheduler *scheduler,
                                const hit_simulate_options *options,
                                hit_simulated *result);

/** Lower bounds of the time of all tasks on the machine. */
typedef struct hit_bounds {
    int64_t path_ns; /**< the longest way, of the least times */
    int64_t area_ns; /**< all devices busy, tasks cut at will; 0: more than two kinds */
} hit_bounds;

#ifdef __cplusplus
}
#endif

#endif
