/* SPDX-License-Identifier: MIT
 * The optimal partition for any models: times that fall, cliffs, tables with gaps. */
#ifndef HIT_LAYOUTS_PARTITION_OPTIMAL_H
#define HIT_LAYOUTS_PARTITION_OPTIMAL_H

#include "layouts/partition/partition.h"

/** The partition with the smallest makespan, to the last bit of a double; among those
 * with the same one, shares are close to what each process can do in that time.
 * O(p I J log(range of times)) with J spans of loads that one process can do in a time
 * and I spans of sums of those; I is small where loads are many (docs/model.md).
 *
 * @errors as hit_partition_function
 * @paper  instead of HPOPTA [Khaleghzadeh2018]
 */
hit_partition_function hit_partition_optimal;

/** Can n units be done in @p seconds by some partition? @errors HIT_E_ARG; HIT_E_NOMEM */
hit_status hit_partition_feasible(hit_index n, int parts, const hit_fpm *const model[],
                                  double seconds, bool *feasible);

/* numerical.c: numerical partitioning: smooth curves through the models, and a system
 * of equations. */

/** A partition after which all processes finish at the same time, if their times were
 * Akima splines; for few, smooth, well-sampled points. Its makespan, as that of all
 * algorithms, is by the models themselves, and at most 1.1 times the smallest.
 *
 * @errors HIT_E_ARG also: it declines, and the text says why. The solver does not
 *         converge, a model has a load of infinite time below others, or a better
 *         partition exists; then use hit_partition_fpm()
 * @paper  [Rychkov2011]; differs: splines of time, Newton steps that
 *         use the shape of the Jacobian, and the certificate
 */
hit_partition_function hit_partition_numerical;

#endif
