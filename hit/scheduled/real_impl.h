/* SPDX-License-Identifier: MIT
 * Internal: what the files of the driver on real devices share. */
#ifndef HIT_SCHEDULED_REAL_IMPL_H
#define HIT_SCHEDULED_REAL_IMPL_H

#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/scheduled/schedule_impl.h"

/* run_lanes.c: kernels in the background, on devices that run them while the caller
 * waits: a thread for each of these. One thread asks. */

typedef struct hit_run_lanes hit_run_lanes;

/** A kernel that has run. */
typedef struct hit_ran {
    hit_status status; /**< the last failure of the caller */
    double seconds;
} hit_ran;

/** A device that runs kernels in the background itself gets no thread. Threads are bound
 * to the first of the cores that their devices name.
 * @errors HIT_E_NOMEM; HIT_E_DEVICE a thread cannot be started */
hit_status hit_run_lanes_create(int devices, hit_device *const device[],
                                const hit_clock *clock, hit_run_lanes **lanes);
/** Waits for what is under way. Accepts NULL in *lanes; sets it to NULL. */
void hit_run_lanes_destroy(hit_run_lanes **lanes);
/** Where to describe the next run of device number @p device, which runs nothing. */
hit_run *hit_run_lanes_next(hit_run_lanes *lanes, int device);
/** Run @p kernel as described. @p kernel lives until it has run.
 * @param need what it adds to, by argument; NULL: it does not reduce
 * @shape need: HIT_MAX_ARGS */
void hit_run_lanes_start(hit_run_lanes *lanes, int device, const hit_kernel *kernel,
                         const hit_domain need[]);
/** True, once, when the kernel that was started on the device has run; sets *ran. */
bool hit_run_lanes_end(hit_run_lanes *lanes, int device, hit_ran *ran);
/** Wait until a kernel has run whose end was not told, at most @p most_s; < 0: for ever.
 */
void hit_run_lanes_wait(hit_run_lanes *lanes, double most_s);

typedef enum hit_flight_state {
    HIT_FLIGHT_WAITS, /**< for another copy, whose source makes room */
    HIT_FLIGHT_GOES,
    HIT_FLIGHT_OVER /**< and noted; the engine does not know it yet */
} hit_flight_state;

/** An action that the engine was not told the end of. */
typedef struct hit_flight {
    hit_action action;
    hit_flight_state state;
    int device; /**< of the context: it runs the kernel, or makes the copy */
    hit_lane lane;
    uint64_t mark; /**< in that lane */
    double start_s;
} hit_flight;

/** Memory that a device gave up, for data of the same size. */
typedef struct hit_kept {
    void *memory;
    size_t bytes;
} hit_kept;

typedef struct hit_kept_list {
    hit_kept *kept;
    size_t count;
    size_t room;
} hit_kept_list;

/** What is known of the time of a work on a kind of devices. */
typedef struct hit_learnt {
    double known_ns; /**< measured, or by a stored model; 0: not known */
    double guess_ns;
} hit_learnt;

typedef struct hit_lesson hit_lesson; /**< real_lessons.c */

typedef struct hit_real {
    int device[HIT_MACHINE_DEVICES]; /**< of the context, by number in the engine */
    hit_run_lanes *lanes;
    hit_flight *flight; /**< in the order in which they were asked for */
    size_t flights;
    size_t room;
    unsigned idle; /**< looks at them in a row that found none to be over */
    double look_s; /**< when the last one was */
    double free_s[HIT_MAX_DEVICES][HIT_LANES]; /**< when a lane was last seen to end */
    bool lived; /**< launches without a scheduler may have left something on devices */
    hit_kept_list kept[HIT_MAX_DEVICES + 1]; /**< per node */
    hit_learnt *learnt;                      /**< per work and kind */
    int works;
    hit_lesson *lesson; /**< for the store of models, each for all kinds */
    int lessons;
    size_t lesson_room;
} hit_real;

/** The device of the context whose memory is @p node: in the engine those that have one
 * of their own come first, in the order of the memories. */
static inline int hit_real_of_node(const hit_scheduled *s, int node)
{
    return ((const hit_real *)s->driven)->device[node - 1];
}

static inline double hit_real_now_s(const hit_scheduled *s)
{
    return hit_clock_now(&s->context->clock);
}

static inline int64_t hit_real_now_ns(const hit_scheduled *s)
{
    return (int64_t)(hit_real_now_s(s) * 1e9);
}

/* real_machine.c: the devices of a process as a machine, as the engine sees it, and
 * what is learnt of it. Nothing that changes results follows from times. */

/** Set s->machine, s->devices, and what the driver knows of them. @errors HIT_E_NOMEM */
hit_status hit_real_make_machine(hit_scheduled *s);
/** A member of the driver's table. */
hit_status hit_real_find_work(hit_scheduled *s, const hit_call *call,
                              const hit_launch_plan *plan, const hit_scheduled_task *task,
                              int64_t bytes, int *work);
/** The first device of a kind. */
hit_device *hit_real_device_of_kind(const hit_scheduled *s, int kind);
/** By a stored model of the kernel, of so many indices on such a device; 0: there is
 * none. */
double hit_real_stored_ns(const hit_scheduled *s, const hit_call *call,
                          const hit_launch_plan *plan, uint64_t indices, int kind);
/** A work took so long on a device of that number in the engine. @errors HIT_E_NOMEM */
hit_status hit_real_learn_run(hit_scheduled *s, int work, int device, double seconds);
/** A copy took so long. @param in to the memory of @p node */
void hit_real_learn_copy(hit_scheduled *s, int node, bool in, int64_t bytes,
                         double seconds);

/* real_lessons.c: times of tasks that are kept in the store of models, where the
 * scheduler's option learn asks for it. */

/** Times of launches like this one, that of @p task, are to be kept.
 * @errors HIT_E_NOMEM; HIT_E_PATTERN */
hit_status hit_real_lessons_begin(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan,
                                  const hit_scheduled_task *task);
/** A task took so long on a kind of devices. */
void hit_real_lessons_note(hit_scheduled *s, const hit_scheduled_task *task, int kind,
                           double seconds);
/** Write what was learnt, and forget it. What fails is not told: it is a cache. */
void hit_real_lessons_close(hit_scheduled *s);

/* real_flights.c: copies and kernels on the devices of the process. */

/** Ask for a copy of elements of a datum, in the lane of that way.
 * @errors of the device; HIT_E_NOMEM, HIT_E_LIMIT there is no room for them */
hit_status hit_real_begin_copy(hit_scheduled *s, const hit_action *copy,
                               const hit_domain *box);
/** Let them go on until at most @p left tasks are not over; 0: until nothing goes on. It
 * looks at all of them once at least.
 * @errors of the engine; HIT_E_INTERNAL the scheduler keeps tasks */
hit_status hit_real_go(hit_scheduled *s, int left);
/** A member of the driver's table. */
hit_status hit_real_step(hit_scheduled *s, bool briefly);
/** Wait for what goes on, and forget it. A member of the driver's table. */
void hit_real_give_up(hit_scheduled *s);

#endif
