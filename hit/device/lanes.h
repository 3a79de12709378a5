/* SPDX-License-Identifier: MIT
 * Copies in the background: one thread per copy lane of a host device. A job is done when
 * the lane's number of jobs done has passed it, so that waiting is comparing two numbers.
 */
#ifndef HIT_DEVICE_LANES_H
#define HIT_DEVICE_LANES_H

#include "hit/base/trace.h"
#include "hit/device/device.h"

typedef struct hit_lanes hit_lanes;

/** Threads are started when the first large copy comes. Copies are recorded in @p trace
 * unless it is NULL. @errors HIT_E_NOMEM */
hit_status hit_lanes_create(hit_trace *trace, hit_lanes **out);
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

#endif
