/* SPDX-License-Identifier: MIT
 * Plans of kernels that traverse dimensions of their arguments and sum over them: the sum
 * becomes one more index, which can be cut like the others. What is accumulated stays on
 * the device while panels of the other arguments pass. */
#ifndef HIT_PLAN_PLAN_SUM_H
#define HIT_PLAN_PLAN_SUM_H

#include "hit/plan/plan.h"

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

#endif
