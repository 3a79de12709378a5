/* SPDX-License-Identifier: MIT
 * Ordered sets: the column panels of a factorisation. Step k works on the panels after k,
 * so that every suffix of the panels has to be shared out well, by one owner per panel.
 */
#ifndef LAYOUTS_PARTITION_ORDERED_H
#define LAYOUTS_PARTITION_ORDERED_H

#include "hit/model/fpm.h"

/** Owners for constant speeds: every suffix is shared out as well as it can be alone, so
 * that the sum of the steps' times is least whatever one panel costs in each step. Whole
 * speeds give a pattern that repeats. O(panels log(parts))
 *
 * @shape  speed: @p parts; owner: @p panels
 * @errors HIT_E_ARG panels < 0, parts < 1, a speed that is negative, infinite or no
 *         number; HIT_E_LIMIT all speeds are 0; HIT_E_NOMEM
 * @paper  [Boulet1999] by dynamic programming; here read backwards
 */
hit_status hit_partition_ordered(hit_index panels, int parts, const double speed[],
                                 int owner[]);

/** Owners by models. In step k, one panel after k is height[k] units of the models. With
 * panels^parts <= 10^6 this is optimal, by dynamic programming; else it is the Reverse
 * algorithm, and single panels are moved afterwards while that is faster.
 *
 * @shape  height: panels - 1 numbers >= 1; NULL: panels - 1, panels - 2, ... 1, as in an
 *         LU factorisation whose unit is a square block
 * @errors as above; HIT_E_LIMIT infeasible: the models cannot do the first step, or no
 *         owners are found that they allow in each step (tables with gaps)
 * @paper  [LastovetskyReddy2007b] for Reverse
 */
hit_status hit_partition_ordered_fpm(hit_index panels, const hit_index height[],
                                     int parts, const hit_fpm *const fpm[], int owner[]);
/** The sum of the steps' times in s. */
double hit_partition_ordered_time(hit_index panels, const hit_index height[], int parts,
                                  const hit_fpm *const fpm[], const int owner[]);

#endif
