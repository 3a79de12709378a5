/* SPDX-License-Identifier: MIT
 * Internal: a partition of panels is made better. */
#ifndef LAYOUTS_PARTITION_ORDERED_CLIMB_H
#define LAYOUTS_PARTITION_ORDERED_CLIMB_H

#include "layouts/partition/ordered_impl.h"

/** Give single panels to others as long as the sum of times falls, where there are few
 * enough to look at all. @errors HIT_E_NOMEM */
hit_status hit_steps_climb(const hit_steps *steps, int owner[]);

#endif
