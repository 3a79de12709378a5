/* SPDX-License-Identifier: MIT
 * Internal to the planner: the best shape. */
#ifndef HIT_PLAN_PLAN_SEARCH_H
#define HIT_PLAN_PLAN_SEARCH_H

#include "hit/plan/plan_impl.h"

/** The best shape that fits, in blocks, and the best order of its pieces. @errors
 * HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_plan_search(plan_space *space, hit_index blocks[], int order[],
                           plan_cost *cost);

#endif
