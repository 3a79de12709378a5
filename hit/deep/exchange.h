/* SPDX-License-Identifier: MIT
 * Internal: the messages of a block over processes. */
#ifndef HIT_DEEP_EXCHANGE_H
#define HIT_DEEP_EXCHANGE_H

#include "hit/deep/deep.h"

/** Send what the block needs; begins its wait for what it gets. What was recorded has
 * run. */
hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan);
/** Wait for it. */
hit_status hit_deep_arrive(hit_deep *deep);

#endif
