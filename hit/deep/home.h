/* SPDX-License-Identifier: MIT
 * Internal: launches of a block over processes that need nothing of other processes: each
 * process runs its own indices, whatever the layouts are. */
#ifndef HIT_DEEP_HOME_H
#define HIT_DEEP_HOME_H

#include "hit/deep/deep.h"

/** What such a launch is recognised by, wherever it is in dimensions that are not cut. 0:
 * it is none, whatever processes own. Equal on all processes. */
uint64_t hit_deep_home_key(const hit_call *call, const hit_launch_plan *plan);
/** Is the question below not collective, and does it change nothing that is known? */
bool hit_deep_knows_home(const hit_deep *deep, uint64_t key);
/** Does each process own all that the launch's indices touch? Then *form is set. Equal on
 * all processes. @collective the second time that its key is seen */
bool hit_deep_describe_home(hit_deep *deep, const hit_call *call,
                            const hit_launch_plan *plan, uint64_t key,
                            hit_deep_form *form);

#endif
