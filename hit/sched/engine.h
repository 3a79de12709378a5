/* SPDX-License-Identifier: MIT
 * The engine below the schedulers: a state machine without time, threads or devices. Its
 * driver tells what is over and when, and gets actions: copies between memories, and
 * tasks to run. hit/sched/clock.h is the driver whose time is virtual. */
#ifndef HIT_SCHED_ENGINE_H
#define HIT_SCHED_ENGINE_H

#include "hit/sched/graph.h"
#include "hit/sched/machine.h"
#include "hit/sched/policy.h"

HIT_C_BEGIN

typedef struct hit_engine hit_engine;

typedef enum hit_action_kind {
    HIT_ACTION_COPY,
    HIT_ACTION_RUN,
    /** The memory of the datum on node `from` is free; it is over at once, without
     * hit_engine_done(). */
    HIT_ACTION_DROP
} hit_action_kind;

/** Something to do now. Actions of one lane and direction of a link are carried out in
 * the order of their numbers. */
typedef struct hit_action {
    hit_action_kind kind;
    int64_t number; /**< from 0 */
    int task;       /**< that runs, or whose room a copy back makes; -1: none */
    int device;     /**< that runs it */
    int datum;      /**< of a copy */
    int from;       /**< node of a copy */
    int to;
    bool back; /**< the copy makes room: the memory of its source is free afterwards */
    int64_t bytes;
    int64_t after;  /**< number of the copy that must be over before; -1: none */
    int64_t run_ns; /**< of a task, as it is predicted */
    bool skipped;   /**< set by the driver: the task was not run, so that what it was to
                       write is as it was, where that is still there */
} hit_action;

typedef struct hit_engine_options {
    uint64_t seed;
    /** The driver tells how long tasks take: a scheduler may have the option learn. */
    bool learns;
    /** What is written back to make room is valid on the host when it has arrived, which
     * real copies need, and the task waits for its room; otherwise from the moment on in
     * which the copy back is asked for, and only copies to that room come after it, as
     * [Bleuse2014] is simulated. */
    bool back_when_arrived;
} hit_engine_options;

/** @p graph, @p machine and the plug-in of @p scheduler live as long as the engine.
 * @owner the caller: hit_engine_close()
 * @errors HIT_E_ARG options of the scheduler; a machine without devices; HIT_E_NOMEM */
HIT_API hit_status hit_engine_open(const hit_graph *graph, const hit_machine *machine,
                                   const hit_scheduler *scheduler,
                                   const hit_engine_options *options,
                                   hit_engine **engine);
/** Accepts NULL in *engine; sets it to NULL. */
HIT_API void hit_engine_close(hit_engine **engine);
/** Take the tasks that were added to the graph since.
 * @errors HIT_E_LIMIT a task fits the memory of no device that has its kernel;
 * HIT_E_ARG no device has its kernel; HIT_E_NOMEM; those of the plug-in */
HIT_API hit_status hit_engine_submit(hit_engine *engine, int64_t now_ns);
/** The next action; false: there is none now. */
HIT_API bool hit_engine_next(hit_engine *engine, hit_action *action);
/** @p action is over. @errors HIT_E_NOMEM; those of the plug-in */
HIT_API hit_status hit_engine_done(hit_engine *engine, const hit_action *action,
                                   int64_t now_ns);
/** Can any device run a task of work @p work whose data have @p bytes?
 * @errors HIT_E_LIMIT, HIT_E_ARG: as hit_engine_submit(); HIT_E_NOMEM */
HIT_API hit_status hit_engine_fits(hit_engine *engine, int work, int64_t bytes);
/** The memory of node @p node has @p bytes at most, since it gave no more. */
HIT_API void hit_engine_limit(hit_engine *engine, int node, int64_t bytes);
/** Tasks of @p work that are given to devices of @p kind from now on take @p run_ns
 * there, as far as is known. @errors HIT_E_NOMEM */
HIT_API hit_status hit_engine_learn(hit_engine *engine, int work, int kind,
                                    int64_t run_ns);
/** Let the host's memory have @p datum, which no task is going to write: a copy, if it
 * does not. @errors HIT_E_NOMEM */
HIT_API hit_status hit_engine_fetch(hit_engine *engine, int datum, int64_t now_ns);
/** The host's memory has the only copy of @p datum from now on, which no task uses.
 * @errors HIT_E_NOMEM */
HIT_API hit_status hit_engine_take_back(hit_engine *engine, int datum);
/** Has the memory of node @p node, 0 for the host, a valid copy of @p datum? Not one that
 * is on its way there. */
HIT_API bool hit_engine_has(const hit_engine *engine, int datum, int node);
/** The node that has a valid copy of @p datum: the host's, 0, if it does, or if what is
 * on its way there is the only one. */
HIT_API int hit_engine_where(const hit_engine *engine, int datum);
/** Forget the tasks, which are all over, and open the scheduler anew, or another one:
 * copies stay where they are. The graph has no tasks any more: hit_graph_forget_tasks().
 * @errors those of the plug-in, then it is as it was; HIT_E_ARG tasks are not over */
HIT_API hit_status hit_engine_restart(hit_engine *engine, const hit_scheduler *scheduler);
/** Tasks that are over. */
HIT_API int hit_engine_tasks_done(const hit_engine *engine);
/** Tasks that were submitted and are not over. */
HIT_API int hit_engine_pending(const hit_engine *engine);
/** Nothing goes on any more. @errors HIT_E_INTERNAL tasks are not over: the scheduler
 * keeps them */
HIT_API hit_status hit_engine_check_end(const hit_engine *engine);
HIT_API int hit_engine_devices(const hit_engine *engine);
/** One of them, as they are numbered. */
HIT_API const hit_machine_device *hit_engine_device(const hit_engine *engine, int device);

HIT_C_END

#endif
