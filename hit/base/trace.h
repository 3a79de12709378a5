/* SPDX-License-Identifier: MIT
 * Internal: what happened when, on this process. Recording is for hit/device and
 * hit/launch; hit/launch/trace_write.c makes the file and the table of it. Where nobody
 * asked for a trace the pointer is NULL, and nothing is recorded. */
#ifndef HIT_BASE_TRACE_H
#define HIT_BASE_TRACE_H

#include "hit/base/status.h"

/** What goes on side by side on one device. Only one thread at a time may record in a
 * lane. */
typedef enum hit_trace_lane {
    HIT_TRACE_LAUNCH, /**< whole launches: planning, messages, kernels */
    HIT_TRACE_RUN,    /**< kernels, and copies that keep kernels from running */
    HIT_TRACE_IN,     /**< copies to the device */
    HIT_TRACE_OUT,    /**< copies from the device */
    HIT_TRACE_WAIT,   /**< for messages */
    HIT_TRACE_LANES
} hit_trace_lane;

typedef struct hit_trace_event {
    const char *what; /**< borrowed: a literal, or the name of a kernel */
    double start_s;   /**< hit_trace_now() */
    double end_s;
    uint64_t bytes;   /**< moved, or touched by a launch; 0: not known */
    uint64_t indices; /**< run */
} hit_trace_event;

typedef struct hit_trace_list {
    hit_trace_event *event;
    size_t count;
    size_t room;
    size_t lost; /**< there was no memory for them */
} hit_trace_list;

typedef struct hit_trace {
    hit_trace_list list[HIT_TRACE_LANES];
    double origin_s;        /**< the same moment on all processes */
    struct hit_trace *next; /**< of the next device of the process: only kernels and
                               copies; NULL: there is none */
} hit_trace;

/** Seconds, monotonic, of one clock for all threads of the process. */
double hit_trace_now(void);
hit_status hit_trace_create(hit_trace **trace);
/** And those of the next devices. Accepts NULL in *trace; sets it to NULL. */
void hit_trace_destroy(hit_trace **trace);
/** Record what began at @p start_s and ends now; does nothing if @p trace is NULL. */
void hit_trace_add(hit_trace *trace, hit_trace_lane lane, const char *what,
                   double start_s, uint64_t bytes, uint64_t indices);

#endif
