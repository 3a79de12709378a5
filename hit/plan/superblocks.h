/* SPDX-License-Identifier: MIT
 * How a box of indices goes through the memory of a device: at once, in three lanes, or
 * one superblock at a time. */
#ifndef HIT_PLAN_SUPERBLOCKS_H
#define HIT_PLAN_SUPERBLOCKS_H

#include "hit/plan/plan.h"

/* plan_sum.c: plans of kernels that traverse dimensions of their arguments and sum over
 * them: the sum becomes one more index, which can be cut like the others. What is
 * accumulated stays on the device while panels of the other arguments pass. */

/** Patterns of the arguments that know the further index. {0} holds nothing. */
typedef struct hit_plan_sum {
    int args;
    hit_pattern pattern[HIT_MAX_ARGS];
} hit_plan_sum;

/** Make *to the request *from with the sum of @p kernel as last index, and @p arg its
 * arguments; from->arg are the tile arguments of the kernel in their order.
 * @owner *sum is the caller's until hit_plan_sum_clear(); *to refers to @p arg, and that
 * to *sum
 * @errors HIT_E_ABSENT the kernel declares no sum, its dimensions have different extents,
 * or there are too many indices; HIT_E_NOMEM */
hit_status hit_plan_sum_make(const hit_kernel *kernel, const hit_plan_request *from,
                             hit_plan_sum *sum, hit_plan_arg arg[], hit_plan_request *to);
void hit_plan_sum_clear(hit_plan_sum *sum);

enum {
    HIT_STREAM_BUFFERS = 3 /* of one argument, at most */
};

typedef struct hit_superblocks {
    hit_plan plan;
    hit_plan_sum sum; /**< if the kernel's sum is cut, too: patterns of the arguments */
    int buffers[HIT_MAX_ARGS]; /**< per argument; 0: superblocks run one at a time */
    int order[HIT_MAX_ARGS];   /**< the arguments by falling alignment of their elements:
                                  so they lie in the arena */
    size_t arena_bytes;        /**< 0: one superblock, which stays on the device */
} hit_superblocks;

/** Choose for the box, the arguments and the limit of @p request, whose arguments are
 * @p arg; its blocks are made smaller where they do not fit.
 * @owner made->sum is the caller's: hit_plan_sum_clear()
 * @errors HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_superblocks_choose(const hit_kernel *kernel,
                                  const hit_plan_request *request, hit_plan_arg arg[],
                                  hit_superblocks *made);

#endif
