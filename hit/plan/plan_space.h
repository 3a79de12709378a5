/* SPDX-License-Identifier: MIT
 * Internal to the planner: a request as a grid of blocks. */
#ifndef HIT_PLAN_PLAN_SPACE_H
#define HIT_PLAN_PLAN_SPACE_H

#include "hit/plan/plan_impl.h"

/** The request must be checked and its index domain not empty. */
void hit_plan_space_init(const hit_plan_request *request, plan_space *space);

/** Pieces along @p dim if each has @p blocks blocks. */
hit_index hit_plan_space_pieces(const plan_space *space, int dim, hit_index blocks);

#endif
