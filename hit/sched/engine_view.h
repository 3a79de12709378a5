/* SPDX-License-Identifier: MIT
 * Internal to the engine: what schedulers see of it. */
#ifndef HIT_SCHED_ENGINE_VIEW_H
#define HIT_SCHED_ENGINE_VIEW_H

#include "hit/sched/engine_impl.h"

/** Fill in the view. */
void hit_engine_view(hit_engine *engine);

/** How long a task of @p work takes on the device; -1: it cannot run there, or may not.
 */
int64_t hit_engine_work_ns(const hit_engine *engine, int work, int device);
/** The same; -1 also where its data do not fit the device's memory. */
int64_t hit_engine_run_ns(const hit_engine *engine, int task, int device);

/** The accelerator whose memory datum goes from to that of @p node directly; 0: from the
 * host's, or through it. */
int hit_engine_peer(const hit_engine *engine, int datum, int node);

int64_t hit_engine_lacks_bytes(const hit_engine *engine, int task, int node);

/** The next number of xorshift64*. @p state is not 0 */
uint64_t hit_engine_random(uint64_t *state);

#endif
