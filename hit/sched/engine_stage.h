/* SPDX-License-Identifier: MIT
 * Internal to the engine: actions begin and end. */
#ifndef HIT_SCHED_ENGINE_STAGE_H
#define HIT_SCHED_ENGINE_STAGE_H

#include "hit/sched/engine_impl.h"

/** Let devices take what they have room for, and begin what may begin.
 * @errors HIT_E_NOMEM */
hit_status hit_engine_stage(hit_engine *engine);

/** Begin the first task of a device if the device is free and the task's data are there.
 */
hit_status hit_engine_start(hit_engine *engine, int device);

/** A copy is over. */
hit_status hit_engine_arrived(hit_engine *engine, const hit_action *action);
/** Let @p datum come to @p node. @param after the copy that must be over before; -1 */
hit_status hit_engine_ask(hit_engine *engine, int datum, int node, int64_t after);
/** The memory of @p datum on all nodes but @p node and the host's is free. */
hit_status hit_engine_drop(hit_engine *engine, int datum, int node);
/** Put a task into the queue of a device. */
void hit_engine_push(hit_engine *engine, int task, int device);

#endif
