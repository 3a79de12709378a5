/* SPDX-License-Identifier: MIT
 * Internal to the host device: its state, and running kernels. */
#ifndef HIT_DEVICE_HOST_IMPL_H
#define HIT_DEVICE_HOST_IMPL_H

#include "hit/base/clock.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/chain/chain.h"
#include "hit/data/disk.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "hit/device/device_ops.h"
#include "hit/model/pace.h"

/* lanes.c: copies in the background: one thread per copy lane of a host device. A job
 * is done when the lane's number of jobs done has passed it, so that waiting is
 * comparing two numbers. */

typedef struct hit_lanes hit_lanes;

/** Threads are started when the first large copy comes. Copies are recorded in @p trace
 * unless it is NULL, and go to and from @p disk (NULL: there is none).
 * @errors HIT_E_NOMEM */
hit_status hit_lanes_create(hit_trace *trace, hit_disk *disk, hit_lanes **out);
/** Waits for what is under way. Accepts NULL in *out; sets it to NULL. */
void hit_lanes_destroy(hit_lanes **out);
/** Carry a copy out in @p number, HIT_LANE_IN or HIT_LANE_OUT; where no thread can be
 * had, or none is worth it, before this returns. @p way is for the trace. */
void hit_lanes_copy(hit_lanes *lanes, hit_lane number, const hit_ndcopy *copy,
                    const void *from, void *to, hit_way way);
/** How many jobs the lane was given. */
uint64_t hit_lanes_mark(const hit_lanes *lanes, hit_lane number);
/** Let the jobs that @p number is given from now on wait for the first @p mark jobs of
 * lane @p of. */
void hit_lanes_after(hit_lanes *lanes, hit_lane number, hit_lane of, uint64_t mark);
/** Are the first @p mark jobs of @p number done? */
bool hit_lanes_reached(const hit_lanes *lanes, hit_lane number, uint64_t mark);
/** Return when the first @p mark jobs of @p number are done. */
void hit_lanes_wait(const hit_lanes *lanes, hit_lane number, uint64_t mark);

/* What a thread leaves for the caller. */
typedef struct hit_host_lane {
    hit_first first;
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
    hit_thread_pool *pool;
    hit_lanes *lanes; /* of a staged device */
    int core_count;
    bool staged;
    size_t limit_bytes;
    hit_trace *trace;
    const hit_clock *clock;
    hit_disk *disk; /* NULL: tiles lie in memory */
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

/* host_chain.c: chains of launches on threads. */

/** The operation run_chain. */
hit_status hit_host_run_chain(void *state, const hit_chain_work *work,
                              const hit_chain_items *items);

/* host_run.c: kernels on threads. */

struct hit_host; /* hit/device/host_impl.h */
struct hit_host_lane;

/** The operation run of the host device. */
hit_status hit_host_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[]);
/** The operation run_alone. */
hit_status hit_host_run_alone(void *state, const hit_kernel *kernel, const hit_run *run);

/** A thread is done: keep the text of its failure, which belongs to the thread. */
void hit_host_keep(struct hit_host_lane *mine, hit_status status);
/** When all are: the failure of the first one, with its text. */
hit_status hit_host_tell(struct hit_host *self);

#endif
