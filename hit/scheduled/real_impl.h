/* SPDX-License-Identifier: MIT
 * Internal: what the files of the driver on real devices share. */
#ifndef HIT_SCHEDULED_REAL_IMPL_H
#define HIT_SCHEDULED_REAL_IMPL_H

#include "hit/base/context.h"
#include "hit/scheduled/run_lanes.h"
#include "hit/scheduled/schedule_impl.h"

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

#endif
