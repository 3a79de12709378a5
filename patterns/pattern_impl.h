/* SPDX-License-Identifier: MIT
 * Internal: what the library asks of patterns. */
#ifndef PATTERNS_PATTERN_IMPL_H
#define PATTERNS_PATTERN_IMPL_H

#include "hit/data/domain.h"
#include "hit/data/wide.h"
#include "patterns/pattern.h"

/* line.c: what an end of a range takes on a box of indices, quotients and remainders
 * among it. Corners of the box are looked at, never its elements. */

/** What a quotient or a remainder takes on a box of indices: low, low + step ... high. */
typedef struct hit_folded {
    hit_wide low;
    hit_wide high;
    hit_wide step; /**< 0: one number */
    bool whole;    /**< does it take each of them? */
} hit_folded;

/** coef . x + offset + what its fold adds, which is not in coef. */
typedef struct hit_line {
    hit_wide coef[HIT_MAX_DIMS];
    hit_wide offset;
    hit_folded more;
} hit_line;

/** @p limit stands for the limit of the tile. */
hit_line hit_line_of(const hit_affine *affine, hit_index limit, const hit_domain *box);
/** The most that the line takes on a box, or the least. */
hit_wide hit_line_limit(const hit_line *of, const hit_domain *box, bool most);
/** The gcd of all differences of values that the line takes on a box. */
hit_wide hit_line_gcd(const hit_line *of, const hit_domain *box);
/** Two indices along dimension @p d, by their numbers, that a quotient or a remainder
 * leads to one place, the others being the first ones of the box; false: there are none,
 * or it has no fold that moves along d. */
bool hit_affine_meets(const hit_affine *affine, const hit_domain *box, int d,
                      hit_index *first, hit_index *second);
/** Does a remainder start again at 0 once along the one dimension of the box that moves
 * it, so that two ranges are touched, and not all? Then *dim is that one, and the second
 * range begins with its index number *second. */
bool hit_line_wraps_once(const hit_affine *affine, const hit_domain *box, int *dim,
                         hit_index *second);

/** Numbers below it can be multiplied by few, and added, without a look at overflow. */
#define HIT_PATTERN_NEAR ((hit_index)1 << 50)

static inline bool hit_pattern_is_near(hit_index x)
{
    return x >= -HIT_PATTERN_NEAR && x <= HIT_PATTERN_NEAR;
}

/** Farther than this no two elements of a tile lie: signatures stay clear of overflow. */
#define HIT_PATTERN_FARTHEST ((hit_wide)1 << 61)

/* bounds.c: the cover of a pattern that people write most, as numbers that are added to
 * the ends of the indices. Known once, it costs each launch a few additions. */

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

/* distance.c: how far the indices that write an element lie from those that read it. */

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
