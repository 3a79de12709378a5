/* SPDX-License-Identifier: MIT
 * Internal: the best owners of few panels. */
#ifndef LAYOUTS_PARTITION_ORDERED_OPTIMAL_H
#define LAYOUTS_PARTITION_ORDERED_OPTIMAL_H

#include "layouts/partition/ordered_impl.h"

/** Are there so few panels and parts that hit_steps_optimal() is quick? */
bool hit_steps_are_few(const hit_steps *steps);

/** The owners of all panels but the first for which the sum of times is least.
 * @errors HIT_E_LIMIT infeasible; HIT_E_NOMEM */
hit_status hit_steps_optimal(const hit_steps *steps, int owner[]);

#endif
