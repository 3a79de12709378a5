/* SPDX-License-Identifier: MIT
 * Internal: the state of the engine, which its files share. */
#ifndef HIT_SCHED_ENGINE_IMPL_H
#define HIT_SCHED_ENGINE_IMPL_H

#include "hit/base/containers.h"
#include "hit/sched/engine.h"
#include "hit/sched/graph.h"

/* place.c: where copies of data are: which memory has a valid one, which one is on its
 * way, what is pinned, and what has to go when a memory is full. Node 0 is the host's
 * memory and has no limit. A pure value: it moves nothing. */

/** One datum in one memory. */
typedef struct hit_place_copy {
    bool valid;
    bool coming;     /**< asked for; it becomes valid */
    bool has_room;   /**< memory is reserved for it */
    int64_t bringer; /**< number of the copy that brings it; -1: none, or not asked yet */
    int pins;        /**< tasks that are staged or run, and copies that are being sent */
    int wanted;      /**< tasks in queues of this memory's devices that read it */
    int64_t staged;  /**< when a task was staged that uses it: a number that rises */
    int first_wait;  /**< who waits for it to come, in order; -1 */
    int last_wait;
} hit_place_copy;

typedef struct hit_place {
    int nodes;
    int data;
    size_t room;
    hit_place_copy *copy; /**< datum by datum */
    const int64_t *limit; /**< bytes per node; borrowed */
    int64_t *used;        /**< bytes per node */
    int64_t stagings;
    int *dead;   /**< per datum: staged tasks that overwrite it: no other one needs it */
    int *victim; /**< data that hit_place_reserve() found, in the order of their going */
    int victims;
} hit_place;

/** @param limit one per node, of node 0 not looked at; borrowed
 * @owner *place is the caller's: hit_place_clear() @errors HIT_E_NOMEM */
hit_status hit_place_open(int nodes, const int64_t limit[], hit_place *place);
void hit_place_clear(hit_place *place);
/** Know the data of @p graph that were added since; they are valid on the host only.
 * @errors HIT_E_NOMEM */
hit_status hit_place_update(hit_place *place, const hit_graph *graph);

hit_place_copy *hit_place_at(const hit_place *place, int datum, int node);
/** The lowest node but the host that has a valid copy; 0: none. */
int hit_place_source(const hit_place *place, int datum);
/** Is the copy on @p node valid and needed, and none elsewhere? */
bool hit_place_is_only(const hit_place *place, int datum, int node);
/** Reserve and pin all data of @p task on @p node, or do nothing and answer false. What
 * had to go for it is in place->victim; its copies have no room any more, and those that
 * were the only ones have to be written back: hit_place_is_only(). */
bool hit_place_reserve(hit_place *place, const hit_graph *graph, int task, int node);
/** @p task is over: its data are no longer pinned, and those that it wrote are valid on
 * @p node only. @param written false: it was not run, and wrote none */
void hit_place_end(hit_place *place, const hit_graph *graph, int task, int node,
                   bool written);
/** The host's memory has the only copy of @p datum from now on. */
void hit_place_take_back(hit_place *place, const hit_graph *graph, int datum);
/** Bytes of all data of @p task. */
int64_t hit_place_footprint(const hit_graph *graph, int task);

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

/* engine_stage.c: actions begin and end. */

/** Let devices take what they have room for, and begin what may begin.
 * @errors HIT_E_NOMEM */
hit_status hit_engine_stage(hit_engine *engine);

/** Begin the first task of a device if the device is free and the task's data are there.
 */
hit_status hit_engine_start(hit_engine *engine, int device);

/** A copy is over. */
hit_status hit_engine_arrived(hit_engine *engine, const hit_action *action);
/** Let @p datum come to @p node. @param after the copy that must be over before; -1 */
hit_status hit_engine_ask(hit_engine *engine, int datum, int node, int64_t after);
/** The memory of @p datum on all nodes but @p node and the host's is free. */
hit_status hit_engine_drop(hit_engine *engine, int datum, int node);
/** Put a task into the queue of a device. */
void hit_engine_push(hit_engine *engine, int task, int device);

/* engine_view.c: what schedulers see of it. */

/** Fill in the view. */
void hit_engine_view(hit_engine *engine);

/** How long a task of @p work takes on the device; -1: it cannot run there, or may not.
 */
int64_t hit_engine_work_ns(const hit_engine *engine, int work, int device);
/** The same; -1 also where its data do not fit the device's memory. */
int64_t hit_engine_run_ns(const hit_engine *engine, int task, int device);

/** The accelerator whose memory datum goes from to that of @p node directly; 0: from the
 * host's, or through it. */
int hit_engine_peer(const hit_engine *engine, int datum, int node);

int64_t hit_engine_lacks_bytes(const hit_engine *engine, int task, int node);

/** The next number of xorshift64*. @p state is not 0 */
uint64_t hit_engine_random(uint64_t *state);

#endif
