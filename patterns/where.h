/* SPDX-License-Identifier: MIT
 * Internal: which indices of a box a launch runs: those for which affine inequalities
 * hold, "j <= i + b" (HIT_WHERE()). Boxes stay boxes: they are clipped to what remains of
 * them, and taken apart into boxes of which all indices remain. */
#ifndef PATTERNS_WHERE_H
#define PATTERNS_WHERE_H

#include "hit/data/domain.h"
#include "patterns/kernel.h"

enum {
    HIT_MAX_INEQUALITIES = 16
};

/** coef . x + offset >= 0 */
typedef struct hit_inequality {
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset;
} hit_inequality;

/** All of them hold, with the numbers of a launch in place of its values. */
typedef struct hit_where {
    const char *text; /**< borrowed; not compared */
    int count;
    hit_inequality of[HIT_MAX_INEQUALITIES];
} hit_where;

/** Parse "j <= i, i - 2 <= j < i + b": chains of <=, <, >=, > and ==, joined by commas;
 * the sums are those of patterns, of the indices and values of @p kernel, without / and
 * %. @p number as in hit_kernel_pattern().
 * @errors HIT_E_PATTERN with the text, and what was expected; HIT_E_NOMEM */
hit_status hit_where_parse(const hit_kernel *kernel, const char *text,
                           const hit_index number[], hit_where *where);
/** Accept NULL: no inequality. */
bool hit_where_equal(const hit_where *a, const hit_where *b);
uint64_t hit_where_hash(uint64_t hash, const hit_where *where);

/* Each of these accepts NULL in where: then all indices remain. */

/** A box around the indices that remain of @p box; the smallest one where each inequality
 * is a difference of two indices, or has one, and the box has no strides. Empty: none
 * remain. */
hit_domain hit_where_clip(const hit_where *where, const hit_domain *box);
/** Do all indices of the box remain? */
bool hit_where_holds(const hit_where *where, const hit_domain *box);
bool hit_where_has(const hit_where *where, const hit_index at[]);
/** The first one that remains, in the order of hit_domain_first(); false: none does. */
bool hit_where_first(const hit_where *where, const hit_domain *box, hit_index at[]);
/** How many remain; INT64_MAX if there are more. */
hit_index hit_where_count(const hit_where *where, const hit_domain *box);
/** Visit boxes that have all indices that remain, each once, and no others, in
 * lexicographic order, dimension d descending where order[d] < 0, until a visit fails. */
hit_status hit_where_each(const hit_where *where, const hit_domain *box,
                          const signed char order[],
                          hit_status (*visit)(void *of, const hit_domain *box), void *of);

#endif
