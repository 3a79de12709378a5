/* SPDX-License-Identifier: MIT
 * Internal: launches with HIT_RESULT() among their arguments. */
#ifndef HIT_LAUNCH_RESULTS_H
#define HIT_LAUNCH_RESULTS_H

#include "hit/launch/call.h"

/** Is there one among them? Accepts any call. */
bool hit_call_has_results(const hit_call *call);
/** Launch it, and put the numbers where the program wants them. @collective yes
 * @errors HIT_E_ARG one is for no reduction; those of a launch and of hit_tile_get() */
hit_status hit_launch_results(const hit_call *call);
/** The tiles that stood in for them, before the context's stations go. */
void hit_results_drop(hit_context *context);

#endif
