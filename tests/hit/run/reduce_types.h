/* SPDX-License-Identifier: MIT
 * Types that tests reduce by functions of their own. */
#ifndef TESTS_HIT_RUN_REDUCE_TYPES_H
#define TESTS_HIT_RUN_REDUCE_TYPES_H

#include "hit/sum.h"

/** A value and where it is; the greater one wins, of equals the one with the least place.
 */
typedef struct place {
    double value;
    hit_index at; /**< -1: nowhere */
} place;

static HIT_INLINE void place_start(place *p)
{
    p->at = -1;
}

static HIT_INLINE void place_combine(place *onto, const place *from)
{
    const bool more = from->value > onto->value;
    const bool before = from->value == onto->value && from->at < onto->at;

    if (from->at >= 0 && (onto->at < 0 || more || before)) *onto = *from;
}

HIT_REDUCTION(place, place_start, place_combine);

#endif
