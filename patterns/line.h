/* SPDX-License-Identifier: MIT
 * Internal: what an end of a range takes on a box of indices, quotients and remainders
 * among it. Corners of the box are looked at, never its elements. */
#ifndef PATTERNS_LINE_H
#define PATTERNS_LINE_H

#include "hit/data/domain.h"
#include "patterns/pattern.h"

/** A coefficient times an index needs up to 123 bits. */
__extension__ typedef __int128 hit_wide;

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

/** >= 0; of 0 and x it is x. */
hit_wide hit_wide_gcd(hit_wide a, hit_wide b);
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

#endif
