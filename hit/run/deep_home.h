/* SPDX-License-Identifier: MIT
 * Internal: launches of a block over processes that need nothing of other processes: each
 * process runs its own indices, whatever the layouts are. */
#ifndef HIT_RUN_DEEP_HOME_H
#define HIT_RUN_DEEP_HOME_H

#include "hit/run/deep.h"

/** Does each process own all that its indices touch? Then *form is set. Equal on all
 * processes. @collective the second time that such a launch is seen */
bool hit_deep_describe_home(hit_deep *deep, const hit_call *call,
                            const hit_launch_plan *plan, hit_deep_form *form);
/** Is it not collective, and does it change nothing that is known? */
bool hit_deep_knows_home(const hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan);

#endif
