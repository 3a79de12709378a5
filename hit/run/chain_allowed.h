/* SPDX-License-Identifier: MIT
 * Internal: which launches may be part of a chain on one process. */
#ifndef HIT_RUN_CHAIN_ALLOWED_H
#define HIT_RUN_CHAIN_ALLOWED_H

#include "hit/launch/launcher.h"

/** Let launches of @p context be recorded, as HIT_CHAIN says. @errors HIT_E_ARG */
hit_status hit_chains_open(hit_context *context);
/** May the launches of this plan be part of a chain? */
bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan);
/** Print why a chain ends, if HIT_CHAIN=say. */
void hit_chain_say_end(const hit_launcher *launcher, const char *why);

#endif
