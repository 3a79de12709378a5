/* SPDX-License-Identifier: MIT
 * Numerical partitioning: smooth curves through the models, and a system of equations. */
#ifndef LAYOUTS_PARTITION_NUMERICAL_H
#define LAYOUTS_PARTITION_NUMERICAL_H

#include "layouts/partition/partition.h"

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
