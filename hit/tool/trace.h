/* SPDX-License-Identifier: MIT
 * Traces that HIT_TRACE wrote, in memory, and pictures of them. */
#ifndef HIT_TOOL_TRACE_H
#define HIT_TOOL_TRACE_H

#include "hit/base/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct hit_tool_event {
    int process;
    int lane;
    int name; /**< which of the trace's */
    double start_s;
    double end_s;
} hit_tool_event;

typedef struct hit_tool_lane {
    int process;
    int lane; /**< -1: this is the name of the process */
    char name[300];
} hit_tool_lane;

typedef struct hit_tool_timeline {
    hit_tool_event *event; /**< by process, lane and start */
    size_t events;
    size_t event_room;
    hit_tool_lane *lane;
    size_t lanes;
    size_t lane_room;
    char (*name)[128]; /**< of what happened: kernels, copies */
    int names;
    size_t name_room;
} hit_tool_timeline;

/** Seconds since the processes began together. */
typedef struct hit_tool_span {
    double from_s;
    double to_s;
} hit_tool_span;

/** Read @p file; @p path is for messages. @owner *trace is the caller's, also after a
 * failure, until hit_tool_timeline_clear(). @errors HIT_E_ARG it is not what HIT_TRACE
 * writes, says where, or has no events; HIT_E_NOMEM */
hit_status hit_tool_timeline_read(FILE *file, const char *path, hit_tool_timeline *trace);
void hit_tool_timeline_clear(hit_tool_timeline *trace);
/** When launches @p first to @p last, counted from 0 in the order of their beginning,
 * were carried out by any process. @errors HIT_E_ARG there are not so many */
hit_status hit_tool_timeline_launches(const hit_tool_timeline *trace, size_t first,
                                      size_t last, hit_tool_span *span);
/** All that happened. */
hit_tool_span hit_tool_timeline_all(const hit_tool_timeline *trace);

/** Draw what happened in @p span as SVG: one lane below the other, time to the right.
 * @errors HIT_E_ARG nothing happened in it; HIT_E_IO */
hit_status hit_tool_timeline_draw(const hit_tool_timeline *trace, hit_tool_span span,
                                  FILE *file);

#endif
