/* SPDX-License-Identifier: MIT
 * Internal: which indices of a box a launch runs: those for which affine inequalities
 * hold, "j <= i + b", or others, "i < 8 or j < 8" (HIT_WHERE()). Boxes stay boxes: they
 * are clipped to what remains of them, and taken apart into boxes of which all indices
 * remain. */
#ifndef PATTERNS_WHERE_H
#define PATTERNS_WHERE_H

#include "hit/data/domain.h"
#include "hit/data/region.h"
#include "patterns/kernel.h"

enum {
    HIT_MAX_INEQUALITIES = 32 /* of all alternatives together */
};

/** coef . x + offset >= 0 */
typedef struct hit_inequality {
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset;
    hit_index alternative; /**< to which it belongs: 0, 1, ... */
} hit_inequality;

/** All inequalities of one alternative hold, with the numbers of a launch in place of its
 * values. Alternatives may have indices in common. */
typedef struct hit_where {
    const char *text;                        /**< borrowed; not compared */
    int count;                               /**< at least 1 */
    hit_inequality of[HIT_MAX_INEQUALITIES]; /**< one alternative after the other */
} hit_where;

/** Parse "j <= i, i - 2 <= j < i + b or i < 3 and j < 3": chains of <=, <, >=, > and ==,
 * joined by commas or `and`; alternatives are joined by `or`. The sums are those of
 * patterns, of the indices and values of @p kernel, without / and %. @p number as in
 * hit_kernel_pattern().
 * @errors HIT_E_PATTERN with the text, and what was expected; HIT_E_NOMEM */
hit_status hit_where_parse(const hit_kernel *kernel, const char *text,
                           const hit_index number[], hit_where *where);
/** Accept NULL: no inequality. */
bool hit_where_equal(const hit_where *a, const hit_where *b);
uint64_t hit_where_hash(uint64_t hash, const hit_where *where);
/** Does each inequality have one index? Then hit_where_boxes() has no other indices. */
bool hit_where_is_boxes(const hit_where *where);

/* Each of these accepts NULL in where: then all indices remain. */

/** A box around the indices that remain of @p box; the smallest one where each inequality
 * is a difference of two indices, or has one, and the box has no strides. Empty: none
 * remain. */
hit_domain hit_where_clip(const hit_where *where, const hit_domain *box);
/** Append such boxes around what each alternative leaves of @p box, less what the boxes
 * before it have: they are disjoint, and have all indices that remain. @errors
 * HIT_E_NOMEM */
hit_status hit_where_boxes(const hit_where *where, const hit_domain *box,
                           hit_region *boxes);
/** Do all indices of the box remain, by one alternative? */
bool hit_where_holds(const hit_where *where, const hit_domain *box);
bool hit_where_has(const hit_where *where, const hit_index at[]);
/** Does any index remain? */
bool hit_where_any(const hit_where *where, const hit_domain *box);
/** How many remain; INT64_MAX if there are more. */
hit_index hit_where_count(const hit_where *where, const hit_domain *box);
/** Visit boxes that have all indices that remain, each once, and no others, until a visit
 * fails. In lexicographic order, dimension d descending where order[d] < 0; in any order
 * where order[0] is 0. */
hit_status hit_where_each(const hit_where *where, const hit_domain *box,
                          const signed char order[],
                          hit_status (*visit)(void *of, const hit_domain *box), void *of);

#endif
