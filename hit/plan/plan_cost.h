/* SPDX-License-Identifier: MIT
 * Internal to the planner: what shapes need and cost. */
#ifndef HIT_PLAN_PLAN_COST_H
#define HIT_PLAN_PLAN_COST_H

#include "hit/plan/plan_impl.h"

/** The bytes of @p arg that @p piece needs. */
uint64_t hit_plan_arg_bytes(const hit_plan_arg *arg, const hit_domain *piece);
/** Has every shape in @p box a piece that is over the limit? true is a proof unless the
 * work has run out; for a single shape false is one as well. *over (may be NULL) becomes
 * indices that do not fit. */
bool hit_plan_space_exceeds(plan_space *space, const plan_box *box, hit_domain *over);
/** The indices of the piece with the coordinates @p at, if each has @p blocks blocks. */
hit_domain hit_plan_space_piece(const plan_space *space, const hit_index blocks[],
                                const hit_index at[]);
plan_stations hit_plan_space_stations(const plan_space *space, int dim, hit_index blocks);
/** What a piece takes of the device's memory. */
uint64_t hit_plan_space_need(const plan_space *space, const hit_domain *piece);
/** What the pieces of @p blocks blocks cost together if nothing is left to the next. */
plan_cost hit_plan_space_cost(plan_space *space, const hit_index blocks[]);
/** Sums and products that stay at UINT64_MAX. */
uint64_t hit_plan_add(uint64_t a, uint64_t b);
uint64_t hit_plan_multiply(uint64_t a, uint64_t b);

#endif
