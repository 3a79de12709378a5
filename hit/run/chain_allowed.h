/* SPDX-License-Identifier: MIT
 * Internal: which launches may be part of a chain on one process. */
#ifndef HIT_RUN_CHAIN_ALLOWED_H
#define HIT_RUN_CHAIN_ALLOWED_H

#include "hit/launch/launcher.h"

/** Let launches of @p context be recorded, as HIT_CHAIN says. @errors HIT_E_ARG */
hit_status hit_chains_open(hit_context *context);
/** No launch is part of a chain from now on; @p why is told as hit_chain_say_end() does.
 */
void hit_chains_shut(hit_context *context, const char *why);
/** May the launches of this plan be part of a chain? */
bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan);
/** Can the devices of this process run chains? */
bool hit_chains_devices_can(const hit_context *context);

#endif
