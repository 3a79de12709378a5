/* SPDX-License-Identifier: MIT
 * Geometric partitioning for models whose times never fall with the load. */
#ifndef LAYOUTS_PARTITION_GPA_H
#define LAYOUTS_PARTITION_GPA_H

#include "layouts/partition/partition.h"

/** The partition with the smallest makespan; among those with the same one, each of the
 * last units went where it finishes first, on ties to the lowest index.
 * O(p log(points) log(range of times)).
 *
 * @errors HIT_E_ARG also a model that is not monotone: hit_partition_optimal() is for
 *         those; else as hit_partition_function
 * @paper  [LastovetskyReddy2007]; [Lastovetsky2014] section 1.2
 */
hit_partition_function hit_partition_gpa;

#endif
