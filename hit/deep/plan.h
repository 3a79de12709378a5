/* SPDX-License-Identifier: MIT
 * Internal: blocks over processes. */
#ifndef HIT_DEEP_PLAN_H
#define HIT_DEEP_PLAN_H

#include "hit/deep/deep.h"

/** The plan of a block whose launches are those of the history from @p first on, @p
 * period of them again and again, at most @p most; NULL: there is none. @collective where
 * it is new @errors none: who has no memory has no plan, nor have the others */
hit_deep_plan *hit_deep_plan_of(hit_deep *deep, uint64_t first, int period, int most,
                                const hit_layout *layout, const char *kernel);
void hit_deep_plan_destroy(hit_deep_plan **plan);

#endif
