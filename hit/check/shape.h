/* SPDX-License-Identifier: MIT
 * Internal to hit/check: a set of elements as a few boxes. */
#ifndef HIT_CHECK_SHAPE_H
#define HIT_CHECK_SHAPE_H

#include "hit/check/record.h"

#define HIT_SHAPE_MAX 32

/** What one index touches. */
typedef struct hit_shape {
    hit_index at[HIT_MAX_DIMS]; /**< the index */
    hit_index elements;
    hit_domain hull;               /**< dense, or of the tile's strides */
    int count;                     /**< of boxes; -1: more than HIT_SHAPE_MAX */
    hit_domain box[HIT_SHAPE_MAX]; /**< their union is the set; they may overlap */
} hit_shape;

/** Cover what was recorded with boxes that hold nothing else, as few as a greedy search
 * finds: a star becomes its arms. Sets that are equal but for a translation get equal
 * boxes in equal order. @p tile gives the strides of neighbours. @errors HIT_E_NOMEM */
hit_status hit_shape_make(const hit_record *record, const hit_domain *tile,
                          hit_shape *shape);

#endif
