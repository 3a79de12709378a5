/* SPDX-License-Identifier: MIT
 * Internal to the superblock planner: the shapes it may choose from, and what one of them
 * costs. */
#ifndef HIT_PLAN_PLAN_IMPL_H
#define HIT_PLAN_PLAN_IMPL_H

#include "hit/plan/plan.h"

/** How the need of a piece changes when it moves along a dimension, size and all else the
 * same. */
typedef enum plan_trend {
    PLAN_CONSTANT,
    PLAN_RISING,  /**< never less at a later position */
    PLAN_FALLING, /**< never more at a later position */
    PLAN_ANY
} plan_trend;

/** A request seen as a grid of blocks. Needs grow with inclusion: a piece inside another
 * never needs more. Among the calm blocks of a dimension the need is constant and nothing
 * is clipped: it is at least what it is anywhere else. */
typedef struct plan_space {
    const hit_plan_request *request;
    int dims;
    hit_index block[HIT_MAX_DIMS];
    hit_index blocks[HIT_MAX_DIMS]; /**< of the whole index domain */
    hit_index whole[HIT_MAX_DIMS];  /**< of these, blocks of full size */
    plan_trend trend[HIT_MAX_DIMS];
    hit_index calm_first[HIT_MAX_DIMS]; /**< all blocks, a part of them, or none: last <
                                           first */
    hit_index calm_last[HIT_MAX_DIMS];
    uint64_t limit_bytes; /**< of one piece; UINT64_MAX: none */
    int64_t work;         /**< evaluations left before the planner gives up */
} plan_space;

/** All shapes with lo[d] <= blocks per piece <= hi[d]. */
typedef struct plan_box {
    hit_index lo[HIT_MAX_DIMS];
    hit_index hi[HIT_MAX_DIMS];
} plan_box;

/** What a shape costs over all its pieces; sums that do not fit 64 bits stay at
 * UINT64_MAX. */
typedef struct plan_cost {
    uint64_t need_bytes; /**< the largest of a piece */
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t arg_bytes[HIT_MAX_ARGS]; /**< the largest of a piece */
} plan_cost;

/** The pieces along a dimension, all of which are listed but for those that are alike:
 * these are one, the first of them. */
typedef struct plan_stations {
    hit_index count;
    hit_index alike;
    hit_index times; /**< how many are alike, >= 1 */
} plan_stations;

/* plan.c */

/** Let the pieces be those of @p inner, and then those around it, or the boxes there. */
void hit_plan_set_inner(const hit_domain *inner, bool whole, hit_plan *plan);

/* plan_where.c */

/** Count what the pieces of a plan need and move, one by one: if only some of its indices
 * are run, or an inner box comes first. */
void hit_plan_restrict(const hit_plan_request *request, hit_plan *plan);

/* plan_cost.c: what shapes need and cost. */

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

/* plan_search.c: the best shape. */

/** The best shape that fits, in blocks, and the best order of its pieces. @errors
 * HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_plan_search(plan_space *space, hit_index blocks[], int order[],
                           plan_cost *cost);

/* plan_space.c: a request as a grid of blocks. */

/** The request must be checked and its index domain not empty. */
void hit_plan_space_init(const hit_plan_request *request, plan_space *space);

/** Pieces along @p dim if each has @p blocks blocks. */
hit_index hit_plan_space_pieces(const plan_space *space, int dim, hit_index blocks);

/* plan_walk.c: pieces that leave elements to the next. */

/** What the pieces of @p blocks blocks cost, arg_bytes excepted, if they follow each
 * other in @p order, slowest dimension first, and each leaves to the next what both need.
 */
plan_cost hit_plan_walk_cost(plan_space *space, const hit_index blocks[],
                             const int order[]);

#endif
