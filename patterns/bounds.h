/* SPDX-License-Identifier: MIT
 * Internal: the cover of a pattern that people write most, as numbers that are added to
 * the ends of the indices. Known once, it costs each launch a few additions. */
#ifndef PATTERNS_BOUNDS_H
#define PATTERNS_BOUNDS_H

#include "hit/data/domain.h"
#include "patterns/pattern.h"

/** What is touched in each dimension of the tile, whichever expression touches it. */
typedef struct hit_pattern_bounds {
    bool simple; /**< false: nothing else is set */
    int dims;    /**< of the tile */
    struct {
        int follows; /**< the index; -1: none, -2: it is the tile's extent */
        int less;    /**< the index that is subtracted; -1: none */
        hit_index low;
        hit_index high;
    } of[HIT_MAX_DIMS];
} hit_pattern_bounds;

/** Simple where all expressions follow the same index, or the same difference of two, in
 * the same dimension, in steps of 1 and with no gap between them: "[i-1:i+1, j] [i,
 * j-1:j+1]", "[i, :]", "[k-i]". */
hit_pattern_bounds hit_pattern_bounds_of(const hit_pattern *pattern);

/** hit_pattern_find_cover() over the indices @p index, which are not empty. False: the
 * bounds are not simple, the indices or the tile have strides, or are far away; then
 * *cover is not set. */
bool hit_pattern_bounds_cover(const hit_pattern_bounds *bounds, const hit_domain *tile,
                              const hit_domain *index, hit_domain *cover);

#endif
