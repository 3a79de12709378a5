/* SPDX-License-Identifier: MIT
 * Internal: all sums of a number of one set and a number of another. */
#ifndef LAYOUTS_PARTITION_SUMSET_H
#define LAYOUTS_PARTITION_SUMSET_H

#include "hit/model/spans.h"

/** Append all x + y <= @p most, x of @p a and y of @p b, to the empty @p sums. With I and
 * J spans O(I J log J), or O(most J / 64) where that is less. @errors HIT_E_NOMEM */
hit_status hit_sumset(const hit_spans *a, const hit_spans *b, hit_index most,
                      hit_spans *sums);

#endif
