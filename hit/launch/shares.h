/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: shares of a process's devices that follow measured times
 * ("share=auto"), for each plan of a launch on its own. */
#ifndef HIT_LAUNCH_SHARES_H
#define HIT_LAUNCH_SHARES_H

#include "hit/launch/launch_plan.h"

/** Begin to follow, where devices ask for it and share the indices. A launch that reduces
 * does not: its bits must not depend on times. @errors HIT_E_NOMEM */
hit_status hit_shares_begin(const hit_call *call, hit_launch_plan *plan);
/** Accepts NULL in *shares; sets it to NULL. */
void hit_shares_end(struct hit_shares **shares);
/** A launch of the plan has run, and the stations know how long it took. Cuts the plan
 * anew where that pays; where it cannot be done, it stays. */
void hit_shares_note(const hit_call *call, hit_launch_plan *plan);

#endif
