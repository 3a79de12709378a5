/* SPDX-License-Identifier: MIT
 * The driver of the engine whose time is virtual: kernels and copies take what the
 * machine file says, links carry one copy after the other. */
#ifndef HIT_SCHED_CLOCK_H
#define HIT_SCHED_CLOCK_H

#include "hit/sched/engine.h"

HIT_C_BEGIN

typedef struct hit_simulate_options {
    hit_engine_options engine;
    /** Standard deviation of kernels' times, of which schedulers know nothing, in
     * hundredths of their times; 0: none. */
    int noise_percent;
    /** Called for each copy and task when its start and its end are known; may be NULL.
     */
    void (*watch)(void *self, const hit_action *action, int64_t start_ns, int64_t end_ns);
    /** Called for each copy and task when virtual time reaches its end, for a copy back
     * when it is asked for unless engine.back_when_arrived is set, and for each drop,
     * that behind a copy back, too; in an order in which what is read is there; false:
     * the task was not run. May be NULL: nothing is carried out. */
    bool (*carry)(void *self, const hit_action *action);
    void *self;
} hit_simulate_options;

/** Set what a user may say: noise= (0 to 100), seed=, back=asked or back=arrived. @p
 * name: of the option, in texts. @errors HIT_E_ARG; *known is false for another @p key,
 * and nothing is set */
HIT_API hit_status hit_simulate_options_set(hit_simulate_options *options,
                                            const char *name, const char *key,
                                            const char *value, bool *known);

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

/** Tasks that come while others run: a graph that grows, and a virtual time that goes on.
 */
typedef struct hit_simulation hit_simulation;

/** @p graph and @p machine live as long as the simulation; it begins at @p now_ns.
 * @owner the caller: hit_simulation_close() @errors as hit_engine_open() */
HIT_API hit_status hit_simulation_open(const hit_graph *graph, const hit_machine *machine,
                                       const hit_scheduler *scheduler,
                                       const hit_simulate_options *options,
                                       int64_t now_ns, hit_simulation **simulation);
/** Accepts NULL in *simulation; sets it to NULL. */
HIT_API void hit_simulation_close(hit_simulation **simulation);
/** Take the tasks that were added to the graph since. @errors as hit_engine_submit() */
HIT_API hit_status hit_simulation_submit(hit_simulation *simulation);
/** Let time go on until at most @p left tasks are not over; 0: until nothing goes on that
 * is waited for. @errors as hit_simulate() */
HIT_API hit_status hit_simulation_run(hit_simulation *simulation, int left);
/** Let time go on to the next end, if anything goes on. @errors as above */
HIT_API hit_status hit_simulation_step(hit_simulation *simulation);
/** A copy that the engine did not ask for follows the others of its lane, and is waited
 * for: what goes on does meanwhile. @errors as hit_simulate() */
HIT_API hit_status hit_simulation_copy(hit_simulation *simulation,
                                       const hit_action *copy);
/** Give up what goes on, but for copies back that are on their way: their contents are
 * nowhere else. After a failure of hit_simulation_run(). */
HIT_API void hit_simulation_give_up(hit_simulation *simulation);
/** Nothing goes on, and for @p ns nothing will. */
HIT_API void hit_simulation_pass(hit_simulation *simulation, int64_t ns);
HIT_API int64_t hit_simulation_now_ns(const hit_simulation *simulation);
/** What it did since it was opened. */
HIT_API const hit_simulated *hit_simulation_result(const hit_simulation *simulation);
HIT_API hit_engine *hit_simulation_engine(const hit_simulation *simulation);

HIT_C_END

#endif
