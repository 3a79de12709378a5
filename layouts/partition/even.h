/* SPDX-License-Identifier: MIT
 * Partitions for processes that are taken to be alike, or to have one speed each. */
#ifndef LAYOUTS_PARTITION_EVEN_H
#define LAYOUTS_PARTITION_EVEN_H

#include "layouts/partition/partition.h"

HIT_C_BEGIN

/** Shares that differ by at most 1, as far as limits allow: the models only say what is
 * possible, and at most how much. */
HIT_API hit_partition_function hit_partition_even;
/** Constant speeds (cpm.c): each process has the speed that its model gives for an even
 * share, as one benchmark would tell; limits count. */
HIT_API hit_partition_function hit_partition_single;

HIT_C_END

#endif
