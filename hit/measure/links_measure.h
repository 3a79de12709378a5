/* SPDX-License-Identifier: MIT
 * Links of a process, timed by real copies and messages. */
#ifndef HIT_MEASURE_LINKS_MEASURE_H
#define HIT_MEASURE_LINKS_MEASURE_H

#include "hit/cost/cost.h"
#include "hit/model/measure.h"

/** Time one kind of copies, on all processes at the same time, or of messages between
 * process r and process r + P/2. Each is waited for; those to and from the host find it
 * in memory, not in a cache. A process whose device works in place, has no room or no
 * choice of ways, or that has no partner, only waits for the others.
 * @param device  of this process; NULL: it only waits, or sends messages
 * @param shape  the same on all processes
 * @units  result->units: bytes; result->reps is 0 where nothing was timed
 * @collective yes
 * @errors HIT_E_NOMEM, HIT_E_DEVICE, HIT_E_COMM, HIT_E_PEER */
hit_status hit_links_measure(hit_context *context, struct hit_device *device,
                             const hit_link_shape *shape,
                             const hit_measure_options *options, hit_measure *result);

#endif
