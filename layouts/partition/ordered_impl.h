/* SPDX-License-Identifier: MIT
 * Internal: the steps of a factorisation, for the algorithms on ordered sets. */
#ifndef HIT_LAYOUTS_PARTITION_ORDERED_IMPL_H
#define HIT_LAYOUTS_PARTITION_ORDERED_IMPL_H

#include "layouts/partition/ordered.h"

#include <stdbool.h>

/** The steps, and who can do what. */
typedef struct hit_steps {
    hit_index panels;
    const hit_index *height; /**< NULL: as many as there are panels left */
    int parts;
    const hit_fpm *const *fpm;
} hit_steps;

/** The time of the step that works on the last @p left panels, of which part i has
 * count[i]. */
double hit_steps_time(const hit_steps *steps, hit_index left, const hit_index count[]);

/* ordered_optimal.c: the best owners of few panels. */

/** Are there so few panels and parts that hit_steps_optimal() is quick? */
bool hit_steps_are_few(const hit_steps *steps);

/** The owners of all panels but the first for which the sum of times is least.
 * @errors HIT_E_LIMIT infeasible; HIT_E_NOMEM */
hit_status hit_steps_optimal(const hit_steps *steps, int owner[]);

#endif
