/* SPDX-License-Identifier: MIT
 * Internal to hit/check: from what some indices touch to an access pattern. */
#ifndef HIT_CHECK_FIT_H
#define HIT_CHECK_FIT_H

#include "hit/check/infer.h"
#include "hit/check/shape.h"

/** Fit a pattern to the shapes of @p count indices, of which shape[0] is typical, others
 * differ from it in one dimension, and the rest are for verification. Sets the pattern
 * and what is said about it. @errors HIT_E_NOMEM */
hit_status hit_fit(const hit_replica *replica, int k, int count, const hit_shape shape[],
                   hit_inferred *inferred);

#endif
