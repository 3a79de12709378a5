/* SPDX-License-Identifier: MIT
 * Internal to the planner: pieces that leave elements to the next. */
#ifndef HIT_PLAN_PLAN_WALK_H
#define HIT_PLAN_PLAN_WALK_H

#include "hit/plan/plan_impl.h"

/** What the pieces of @p blocks blocks cost, arg_bytes excepted, if they follow each
 * other in @p order, slowest dimension first, and each leaves to the next what both need.
 */
plan_cost hit_plan_walk_cost(plan_space *space, const hit_index blocks[],
                             const int order[]);

#endif
