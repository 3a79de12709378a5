/* SPDX-License-Identifier: MIT
 * Internal: which launches may be part of a chain on one process. */
#ifndef HIT_RUN_CHAIN_ALLOWED_H
#define HIT_RUN_CHAIN_ALLOWED_H

#include "hit/launch/launcher.h"

/** Let launches of @p context be recorded, as HIT_CHAIN says. @errors HIT_E_ARG */
hit_status hit_chains_open(hit_context *context);
/** May the launches of this plan be part of a chain? */
bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan);
/** May a chain begin with one of them? What they touch does not fit the cache, or the
 * device's memory; those that follow may be small. */
bool hit_chains_may_begin(const hit_context *context, const hit_launch_plan *plan);
/** Why no launch of such a plan can be, on one process or several; NULL: nothing of the
 * kernel is against it. */
const char *hit_chain_kernel_refused(const hit_call *call, const hit_launch_plan *plan);
/** Can the devices of this process run chains? */
bool hit_chains_devices_can(const hit_context *context);
/** Print why a chain ends, if HIT_CHAIN=say. */
void hit_chain_say_end(const hit_launcher *launcher, const char *why);

#endif
