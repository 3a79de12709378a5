/* SPDX-License-Identifier: MIT
 * Internal: how far the indices that write an element lie from those that read it. */
#ifndef PATTERNS_DISTANCE_H
#define PATTERNS_DISTANCE_H

#include "hit/data/domain.h"
#include "patterns/pattern.h"

/** y - x of indices x and y of a launch of which x reads what y writes. */
typedef struct hit_distance {
    bool any;   /**< are there such indices? Else nothing else is set */
    bool exact; /**< all combinations of the distances occur, at each index at which both
                   lie in the domain; else some may not */
    unsigned followed;        /**< by what is written: dimensions of the launch, a bit
                                 each; along the others all indices write the same */
    hit_sig of[HIT_MAX_DIMS]; /**< by dimension of the launch */
} hit_distance;

/** Is @p written what hit_pattern_distance() knows of: one expression that follows each
 * index in one dimension at most, with coefficient 1, where it is one element wide? */
bool hit_pattern_is_element(const hit_pattern *written);
/** The distances within the indices @p index, which are not empty, of a launch that
 * writes @p written, which hit_pattern_is_element(), and reads @p read of the same tile.
 * The time does not depend on the number of indices. */
hit_distance hit_pattern_distance(const hit_pattern *written, const hit_access *read,
                                  const hit_domain *tile, const hit_domain *index);
/** Is the element that @p distance is about another index's than the reader's? Along what
 * is followed, one distance is not 0. */
bool hit_distance_is_apart(const hit_distance *distance);
/** Two indices that it stands for; if it is not exact, they may not read and write the
 * same. */
void hit_distance_witness(const hit_distance *distance, const hit_domain *index,
                          hit_index reader[], hit_index writer[]);

#endif
