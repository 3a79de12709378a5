/* SPDX-License-Identifier: MIT
 * A program of steps whose elements tell how many were done: what tests of checkpoints
 * stop and let go on. */
#ifndef TESTS_HIT_CHECKPOINT_STEPS_CASE_H
#define TESTS_HIT_CHECKPOINT_STEPS_CASE_H

#include "hit/checkpoint/checkpoint.h"
#include "hit/hit.h"

#include <stdbool.h>

typedef struct steps_seed {
    char letter[3];
} steps_seed;

typedef struct steps {
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;
    hit_index t;     /**< the next one to be done */
    hit_index first; /**< the one that was done first; -1 */
    bool went_on;    /**< all was right then */
    double share;
    steps_seed seed;
} steps;

/** Make the tiles, as they are before step 0, and name them and the values. */
void steps_begin(steps *s, hit_context *hit, const char *layout);
void steps_end(steps *s);
/** Do the steps that are left up to @p until. What hit_checkpoint_step() fails with. */
hit_status steps_do(steps *s, hit_index until);
/** Are elements and values of this process as they are after s->t steps? */
bool steps_right(const steps *s);

#endif
