/* SPDX-License-Identifier: MIT
 * Internal: what is known of each process while distributions are measured. */
#ifndef LAYOUTS_PARTITION_DYNAMIC_IMPL_H
#define LAYOUTS_PARTITION_DYNAMIC_IMPL_H

#include "layouts/partition/dynamic.h"
#include "layouts/partition/dynamic_known.h"

#include <stdbool.h>

/** One distribution that was measured. */
typedef struct hit_dynamic_trial {
    hit_index *share;
    hit_rect *rect; /**< NULL if not of a plane */
    double makespan_s;
} hit_dynamic_trial;

struct hit_dynamic {
    hit_index n;
    int parts;
    hit_plane plane; /**< of no rows if there is none */
    bool is_plane;
    hit_dynamic_options options; /**< without zeros; seed NULL */
    hit_known *known;
    hit_fpm **model; /**< scratch */
    hit_dynamic_trial trial[HIT_DYNAMIC_ROUNDS];
    hit_dynamic_trial candidate;
    int rounds; /**< measured; the next trial was handed out if asked */
    bool asked;
    bool hopeful;  /**< about loads larger than those measured */
    int clock;     /**< of stamps */
    int best;      /**< -1: none */
    double best_s; /**< its makespan by all that is known now */
    int idle;      /**< trials since the best got better or a cliff was narrowed */
    hit_dynamic_verdict verdict;
};

#endif
