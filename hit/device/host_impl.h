/* SPDX-License-Identifier: MIT
 * Internal to the host device: its state, and running kernels. */
#ifndef HIT_DEVICE_HOST_IMPL_H
#define HIT_DEVICE_HOST_IMPL_H

#include "hit/base/clock.h"
#include "hit/base/trace.h"
#include "hit/device/device.h"
#include "hit/device/lanes.h"
#include "hit/device/pool.h"
#include "hit/model/pace.h"

/* What a thread leaves for the caller. */
typedef struct hit_host_lane {
    hit_status status;
    char text[256];
    char *partial; /* of all reduction arguments, one behind the other */
    size_t partial_bytes;
} hit_host_lane;

/* Whose caches hold what the last run that could be shared wrote. */
typedef struct hit_host_rows {
    const void *base; /* of the argument it wrote; NULL: the caller ran it alone */
    hit_index begin;  /* the indices that were cut for the threads, inclusive */
    hit_index end;
} hit_host_rows;

enum {
    HIT_HOST_ENTERED = 16 /* kernels with threads of their own that are remembered */
};

typedef struct hit_host {
    hit_cores *cores;
    hit_pool *pool;
    hit_lanes *lanes; /* of a staged device */
    int core_count;
    bool staged;
    size_t limit_bytes;
    hit_trace *trace;
    const hit_clock *clock;
    hit_team team;
    hit_group group;
    int first_core; /* of the threads; -1: they are bound to none */
    int *core;      /* numbers of its cores; NULL: none are named */
    hit_status (*entered[HIT_HOST_ENTERED])(const hit_group *group);
    int next_entered;
    hit_paces paces; /* of element kernels */
    hit_host_rows rows;
    hit_host_lane lane[];
} hit_host;

#endif
