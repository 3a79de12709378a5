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

#endif
