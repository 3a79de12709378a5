/* SPDX-License-Identifier: MIT
 * Plans as text. */
#ifndef HIT_PLAN_PLAN_PRINT_H
#define HIT_PLAN_PLAN_PRINT_H

#include "hit/plan/plan.h"

/** Stable text of a plan, for `hit plan` and golden tests. Never more than @p size bytes.
 */
void hit_plan_print(const hit_plan *plan, char *text, size_t size);

#endif
