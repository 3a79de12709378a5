/* SPDX-License-Identifier: MIT
 * Internal: the state of machines and of the engine, which their files share, and the
 * tasks of a running program. */
#ifndef HIT_SCHED_SCHED_IMPL_H
#define HIT_SCHED_SCHED_IMPL_H

#include "hit/base/containers.h"
#include "hit/base/status.h"
#include "hit/sched/engine.h"
#include "hit/sched/graph.h"
#include "hit/sched/machine.h"

#include <stdbool.h>

/* What machine.c and the reader of its files share. */

/** The kernel whose name the first @p length bytes of @p name are; NULL: there is none.
 */
hit_machine_kernel *hit_machine_kernel_find(const hit_machine *machine, const char *name,
                                            size_t length);
/** @errors HIT_E_NOMEM */
hit_status hit_machine_add_kind(hit_machine *machine, const hit_machine_kind *kind);
/** Read a number that has a '.' whatever the locale of the program says. */
bool hit_machine_number(const char *text, double *number);

/* The state of the engine, which its files share. */

/** A loop over the accesses of task number @p task, which are pointers to them. */
/* NOLINTBEGIN(bugprone-macro-parentheses): access is a name */
#define HIT_EACH_ACCESS(access, graph, task_number)                                      \
    for (const hit_graph_access *                                                        \
             access = (graph)->access + (graph)->task[task_number].first_access,         \
            *end_##access = access + (graph)->task[task_number].accesses;                \
         access < end_##access; access++)
/* NOLINTEND(bugprone-macro-parentheses) */

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

/** Without data but for nodes and limit: none yet. @owner the caller: hit_place_clear()
 */
typedef struct hit_place {
    int nodes;
    int data;
    size_t room;
    hit_place_copy *copy; /**< datum by datum */
    const int64_t *limit; /**< bytes per node, of node 0 not looked at; borrowed */
    int64_t used[HIT_MACHINE_DEVICES + 1]; /**< bytes per node */
    int64_t stagings;
    int *dead;   /**< per datum: staged tasks that overwrite it: no other one needs it */
    int *victim; /**< data that hit_place_reserve() found, in the order of their going */
    int victims;
} hit_place;

void hit_place_clear(hit_place *place);
/** Know the data of @p graph that were added since; they are valid on the host only.
 * @errors HIT_E_NOMEM */
hit_status hit_place_update(hit_place *place, const hit_graph *graph);

static inline hit_place_copy *hit_place_at(const hit_place *place, int datum, int node)
{
    return &place->copy[(size_t)datum * (size_t)place->nodes + (size_t)node];
}
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
    bool ranked; /**< the ranks are those of the tasks that there are now */
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

/** The rank of a task by the least times of its work, or by the means over all devices.
 * Ranks are found when a scheduler asks for one. */
int64_t hit_engine_rank_ns(hit_engine *engine, int task, bool mean);

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

/* window.c: the tasks of a running program that are not over, in a ring: a graph whose
 * end is not known yet. A pure state machine: it knows neither what a task does nor who
 * carries it out. Its owner adds tasks in program order and says which of the earlier
 * ones each comes after; workers take tasks that are ready, those with the longest way to
 * the end first, and say when they are done. Nothing is locked here.
 *
 * @paper [Topcuoglu2002] section 4.1 (upward ranks), here over a window that moves */

typedef struct hit_window hit_window;

/** Room for @p room tasks, one more than 0. @owner *window: hit_window_destroy()
 * @errors HIT_E_NOMEM */
hit_status hit_window_create(int room, hit_window **window);
/** Accepts NULL in *window; sets it to NULL. */
void hit_window_destroy(hit_window **window);

/** Let the next hit_window_add() be sure of memory for @p befores edges.
 * @errors HIT_E_NOMEM */
hit_status hit_window_reserve(hit_window *window, int befores);
/** For how many edges is there memory? Only hit_window_add() makes it less. */
int hit_window_free_edges(const hit_window *window);
/** Add a task after the tasks @p before, of which some may be over or named twice. Room
 * and memory must be there. @param cost how long it takes, in any unit; at least 1
 * @param on bit by bit the workers, of up to 64, that may take it; 0: all
 * @returns its number: 1, 2, ... */
uint64_t hit_window_add(hit_window *window, int64_t cost, uint64_t on, int befores,
                        const uint64_t before[]);
/** Take the ready task of the highest rank that worker @p worker may take; 0: none. */
uint64_t hit_window_take(hit_window *window, int worker);
/** Must a task that was taken not be carried out, since one that it comes after failed?
 */
bool hit_window_is_cancelled(const hit_window *window, uint64_t task);
/** A task that was taken is over. One that failed, or was cancelled, cancels those that
 * come after it, those that are added later too, and keeps its room until
 * hit_window_forgive(). @returns how many tasks became ready */
int hit_window_done(hit_window *window, uint64_t number, bool failed);
bool hit_window_is_done(const hit_window *window, uint64_t task);
/** Is it done, and did it fail, or was it cancelled? */
bool hit_window_failed(const hit_window *window, uint64_t task);
/** What failed counts as done from now on. */
void hit_window_forgive(hit_window *window);

/** Another process waits for what task number @p number writes: at the next wait it gets
 * the longest way to the end, and those that it comes after, too. */
void hit_window_hasten(hit_window *window, uint64_t number);

/** All tasks up to this one are over; 0: none is. */
uint64_t hit_window_over(const hit_window *window);
/** Tasks that are not done. */
int hit_window_open(const hit_window *window);
int hit_window_ready(const hit_window *window);
/** Is a ready task for some workers only? */
bool hit_window_chooses(const hit_window *window);
/** Its owner is about to wait, for @p all tasks or for one: compute the longest way from
 * each task to the end, by which hit_window_take() chooses. For one task that is done
 * where most of the tasks are new, so that many waits in a row cost little.
 * hit_window_add() does it by itself with every quarter of the room; until then a new
 * task counts for itself, and for none of those that it comes after. */
void hit_window_rank_for_wait(hit_window *window, bool all);

#endif
