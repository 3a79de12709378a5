/* SPDX-License-Identifier: MIT
 * Internal: the state of the engine, which its files share. */
#ifndef HIT_SCHED_ENGINE_IMPL_H
#define HIT_SCHED_ENGINE_IMPL_H

#include "hit/base/pool.h"
#include "hit/sched/engine.h"
#include "hit/sched/place.h"

typedef enum task_state {
    TASK_WAITS, /**< for tasks before it */
    TASK_READY, /**< the scheduler has it */
    TASK_GIVEN, /**< in the queue of a device */
    TASK_STAGED,
    TASK_RUNS,
    TASK_DONE
} task_state;

typedef struct engine_task {
    task_state state;
    int befores; /**< that are not over */
    int device;
    int lacks; /**< copies that must arrive before it may start */
    int next;  /**< in the queue of its device; -1 */
    int64_t run_ns;
} engine_task;

typedef struct engine_device {
    int first; /**< of the queue: tasks in the order in which they were given; -1 */
    int last;
    int held[HIT_MACHINE_WINDOW]; /**< staged tasks, the one that runs first */
    int holds;
    int most; /**< that it may hold */
    bool runs;
    int64_t given_ns; /**< of tasks that were given to it and did not start */
    int64_t free_ns;
} engine_device;

/** Who waits for a copy: a task on that node, or a copy from the host to node @p to. */
typedef struct engine_wait {
    int next;
    int task; /**< -1: a copy */
    int to;
    int64_t after; /**< of that copy */
} engine_wait;

struct hit_engine {
    const hit_graph *graph;
    const hit_machine *machine;
    hit_engine_options options;
    const hit_sched_ops *ops;
    hit_sched_order order;
    void *policy;  /**< what ops->open made */
    bool misgiven; /**< it gave a task that it could not give */
    hit_sched_view view;
    int devices;
    int nodes;
    hit_machine_device device[HIT_MACHINE_DEVICES];
    hit_sched_device seen[HIT_MACHINE_DEVICES]; /**< as plug-ins see them */
    engine_device *at;
    int64_t limit[HIT_MACHINE_DEVICES + 1];                /**< bytes per node */
    const hit_machine_link *link[HIT_MACHINE_DEVICES + 1]; /**< per node; NULL: host */
    hit_place place;
    int64_t now_ns;
    uint64_t random;

    int tasks; /**< submitted */
    int done;
    int links; /**< of the graph, which lead to them */
    int first; /**< all tasks before this one are over */
    size_t task_room;
    engine_task *task;
    int64_t *rank_ns;
    int64_t *mean_rank_ns;
    int *ready; /**< tasks that became ready: room for all */
    int works;
    int64_t *work_ns;   /**< per work and kind; -1: cannot */
    int64_t *work_rank; /**< per work: for the ranks */

    hit_pool waits; /**< engine_wait */
    hit_action *action;
    size_t action_room;
    int first_action;
    int actions;
    int64_t numbers; /**< of actions */
};

/** HIT_OK if the scheduler gave what it may give. @errors HIT_E_ARG */
hit_status hit_engine_check(const hit_engine *engine);

#endif
