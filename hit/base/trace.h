/* SPDX-License-Identifier: MIT
 * Internal: what happened when, on this process. Recording is for hit/device and
 * hit/launch; hit/trace/trace_write.c makes the file and the table of it. Where no
 * trace was asked for the pointer is NULL, and nothing is recorded. */
#ifndef HIT_BASE_TRACE_H
#define HIT_BASE_TRACE_H

#include "hit/base/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifndef HIT_TRACE_POINTS
#define HIT_TRACE_POINTS 1 /* 0: as if there were no traces: tests/bench/trace-off.c */
#endif

/** What goes on side by side on one device. */
typedef enum hit_trace_lane {
    HIT_TRACE_LAUNCH, /**< whole launches: planning, messages, kernels */
    HIT_TRACE_RUN,    /**< kernels */
    HIT_TRACE_IN,     /**< copies to the device */
    HIT_TRACE_OUT,    /**< copies from the device */
    HIT_TRACE_WITHIN, /**< copies from one place on it to another */
    HIT_TRACE_WAIT,   /**< for messages */
    HIT_TRACE_LANES
} hit_trace_lane;

typedef struct hit_trace_event {
    const char *what; /**< borrowed: a literal, or the name of a kernel */
    double start_s;   /**< hit_trace_now() */
    double end_s;
    uint64_t bytes;      /**< moved, or touched by a launch; 0: not known */
    uint64_t indices;    /**< run by a launch */
    uint64_t operations; /**< floating-point ones of them all; 0: not known */
    double plan_s;       /**< of a launch: to find or make its plan */
    double pack_s;       /**< of a launch: to pack and unpack its messages */
    int beside;         /**< of a kernel: so many may run at a time, each with its part of
                           the device; 0: it has all of it */
    const char *column; /**< of a launch: the argument over whose columns each index of
                           its kernel walks; NULL: there is none */
    double joules;      /**< by the meters that the process reads; hit/trace sets it */
} hit_trace_event;

struct hit_energy;

typedef struct hit_trace_list {
    hit_trace_event *event;
    size_t count;
    size_t room;
    size_t lost; /**< there was no memory for them */
} hit_trace_list;

typedef struct hit_trace {
    hit_trace_list list[HIT_TRACE_LANES];
    double origin_s;         /**< the same moment on all processes */
    int recording;           /**< 1: one of the threads does; for hit_trace_put() */
    uint64_t unpinned_bytes; /**< copied from or to host memory that is not pinned */
    uint64_t refused_bytes;  /**< of host memory that could not be pinned */
    uint64_t adopted_bytes;  /**< copied between arrays of the program and buffers */
    uint64_t disk_bytes[2];  /**< read from and written to HIT_DISK, so far */
    uint64_t plans_made;     /**< of launches; one serves all places of its class */
    uint64_t plans_kept;
    uint64_t plans_bytes; /**< that those that are kept take */
    char device[128];     /**< what the process runs on; empty: its devices */
    double plan_s;        /**< of the launch that is under way, so far */
    double pack_s;
    bool profiled; /**< HIT_PROFILE is on */
    double look_s; /**< meters are to be read then; INFINITY: there are none */
    void (*look)(struct hit_trace *trace, double now_s);
    struct hit_energy *energy; /**< what they showed; NULL: they are not read */
    bool spare; /**< it runs only what others cannot: to have no work is no imbalance */
    double busy_w; /**< power of a simulated device while a kernel runs; 0: not known */
    double idle_w; /**< and while none does */
    struct hit_trace *next; /**< of the next device of the process: only kernels and
                               copies; NULL: there is none */
} hit_trace;

/** Seconds, monotonic, of one clock for all threads of the process. */
double hit_trace_now(void);
hit_status hit_trace_create(hit_trace **trace);
/** And those of the next devices. Accepts NULL in *trace; sets it to NULL. */
void hit_trace_destroy(hit_trace **trace);
/** A launch begins. */
void hit_trace_begin(hit_trace *trace);
/** Record an event; @p trace is not NULL. Any thread. */
void hit_trace_put(hit_trace *trace, hit_trace_lane lane, const hit_trace_event *event);

static inline bool hit_trace_on(const hit_trace *trace)
{
    return HIT_TRACE_POINTS && __builtin_expect(trace != NULL, 0);
}

/** When what comes now began; 0 if nothing is recorded. */
static inline double hit_trace_start(const hit_trace *trace)
{
    return hit_trace_on(trace) ? hit_trace_now() : 0;
}

/** Record what began at @p start_s and ends now, if @p trace is not NULL. */
static inline void hit_trace_add(hit_trace *trace, hit_trace_lane lane, const char *what,
                                 double start_s, uint64_t bytes)
{
    if (!hit_trace_on(trace)) return;
    hit_trace_event event = {what, start_s, hit_trace_now(), bytes, 0, 0, 0, 0, 0,
                             NULL, 0};
    hit_trace_put(trace, lane, &event);
}

#endif
