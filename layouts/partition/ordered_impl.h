/* SPDX-License-Identifier: MIT
 * Internal: the steps of a factorisation, for the algorithms on ordered sets. */
#ifndef LAYOUTS_PARTITION_ORDERED_IMPL_H
#define LAYOUTS_PARTITION_ORDERED_IMPL_H

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

#endif
