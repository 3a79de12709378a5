/* SPDX-License-Identifier: MIT
 * `hit plan --chain`: many launches of a kernel, through a memory that does not hold
 * their tiles. */
#ifndef HIT_TOOL_PLAN_CHAIN_H
#define HIT_TOOL_PLAN_CHAIN_H

#include "hit/plan/plan.h"

/** Print how @p steps launches (2 to 64) of the request's kernel go through its memory:
 * how many at a time, in which pieces, with how many bytes, and those of one launch after
 * the other. The tile that is written and the first one that is only read, if both have
 * the same dimensions and type, take turns.
 * @errors HIT_E_PATTERN, HIT_E_LIMIT: there is no such chain, and why */
hit_status hit_tool_plan_chain(const hit_kernel *kernel, const hit_plan_request *request,
                               int steps, bool json);

#endif
