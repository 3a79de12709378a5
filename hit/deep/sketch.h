/* SPDX-License-Identifier: MIT
 * Internal: launches of a block that have no plan. */
#ifndef HIT_DEEP_SKETCH_H
#define HIT_DEEP_SKETCH_H

#include "hit/deep/deep.h"

/** What stands for the plan of a launch that is the next one of the block: what the
 * launch is, and which of its indices are this process's, without messages and parts of
 * devices. It holds until the next call. NULL: the launch is not expected. Equal on all
 * processes; not collective. */
hit_launch_plan *hit_deep_sketch(hit_deep *deep, const hit_call *call,
                                 const hit_known_kernel *known);

#endif
