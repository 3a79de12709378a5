/* SPDX-License-Identifier: MIT
 * Internal: which indices of a box a launch runs: those for which inequalities hold,
 * "j <= i + b", or others, "i < 8 or j < 8" (HIT_WHERE()). They are affine, and a side
 * may stand in data, "wet == 1": what is known of these elements before a kernel is
 * called are the least and the greatest in a box. Boxes stay boxes: they are clipped to
 * what remains of them, and taken apart into boxes of which all indices remain. */
#ifndef PATTERNS_WHERE_H
#define PATTERNS_WHERE_H

#include "hit/data/domain.h"
#include "hit/data/region.h"
#include "patterns/kernel.h"

enum {
    HIT_MAX_INEQUALITIES = 32, /* of all alternatives together */
    HIT_MAX_WHERE_SOURCES = 4  /* arguments that they name */
};

/** coef . x + offset >= 0, where source is 0; if it is k > 0, the element that the index
 * touches of source k - 1 is added, and if it is -k, that element is subtracted. */
typedef struct hit_inequality {
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset;
    hit_index alternative; /**< to which it belongs: 0, 1, ... */
    hit_index source;
} hit_inequality;

struct hit_extremes;

/** An argument that is only read, of whole numbers, of which each index touches one
 * element. */
typedef struct hit_where_source {
    int arg;                           /**< its number among those of the kernel */
    int dims;                          /**< of its tile */
    hit_type type;                     /**< of its elements */
    hit_access at;                     /**< what an index touches, by its own pattern */
    const struct hit_extremes *values; /**< borrowed; NULL: they are not known */
    hit_domain limits;                 /**< of the tile; set if values is */
} hit_where_source;

/** All inequalities of one alternative hold, with the numbers of a launch in place of its
 * values. Alternatives may have indices in common. */
typedef struct hit_where {
    const char *text;                        /**< borrowed; not compared */
    int count;                               /**< at least 1 */
    hit_inequality of[HIT_MAX_INEQUALITIES]; /**< one alternative after the other */
    int sources;
    hit_where_source source[HIT_MAX_WHERE_SOURCES]; /**< only .arg is compared: the rest
                                                        follows from the kernel */
} hit_where;

/** Parse "j <= i, i - 2 <= j < i + b or i < 3 and j < 3": chains of <=, <, >=, > and ==,
 * joined by commas or `and`; alternatives are joined by `or`. The sums are those of
 * patterns, of the indices and values of @p kernel, without / and %. @p number as in
 * hit_kernel_pattern().
 * @errors HIT_E_PATTERN with the text, and what was expected; HIT_E_NOMEM */
hit_status hit_where_parse(const hit_kernel *kernel, const char *text,
                           const hit_index number[], hit_where *where);
bool hit_where_same(const hit_where *a, const hit_where *b);
/** Accept NULL: no inequality. */
static inline bool hit_where_equal(const hit_where *a, const hit_where *b)
{
    return a == NULL || b == NULL ? a == b : hit_where_same(a, b);
}
uint64_t hit_where_hash(uint64_t hash, const hit_where *where);
/** Copy what is in use of it: it is large. */
void hit_where_copy(hit_where *to, const hit_where *from);
/** The arguments that stand in inequalities, a bit each. */
unsigned hit_where_looks_in(const hit_where *where);
/** Does each inequality have one index, and none stands in data? Then hit_where_boxes()
 * has no other indices. */
bool hit_where_is_boxes(const hit_where *where);

/* Each of these accepts NULL in where: then all indices remain. */

/** A box around the indices that remain of @p box; the smallest one where each inequality
 * is a difference of two indices, or has one, and the box has no strides. Empty: none
 * remain. What stands in data only says whether it is empty. */
hit_domain hit_where_clip(const hit_where *where, const hit_domain *box);
/** Append such boxes around what each alternative leaves of @p box, less what the boxes
 * before it have: they are disjoint, and have all indices that remain. @errors
 * HIT_E_NOMEM */
hit_status hit_where_boxes(const hit_where *where, const hit_domain *box,
                           hit_region *boxes);
/** Do all indices of the box remain, by one alternative? */
bool hit_where_holds(const hit_where *where, const hit_domain *box);
/** @p slot: where the arguments of the kernel lie; NULL if nothing stands in data. */
bool hit_where_has(const hit_where *where, const hit_slot slot[], const hit_index at[]);
/** Does any index remain, as far as it is known? */
bool hit_where_any(const hit_where *where, const hit_domain *box);
/** How many remain; INT64_MAX if there are more. What stands in data makes it too large
 * where that is known of larger boxes only. */
hit_index hit_where_count(const hit_where *where, const hit_domain *box);
/** Visit boxes that have all indices that remain, each once, and no others, until a visit
 * fails. In lexicographic order, dimension d descending where order[d] < 0; in any order
 * where order[0] is 0, as it is if something stands in data. @p slot as above: elements
 * are read before the box of their indices is visited, and after others were. */
hit_status hit_where_each(const hit_where *where, const hit_domain *box,
                          const signed char order[], const hit_slot slot[],
                          hit_status (*visit)(void *of, const hit_domain *box), void *of);

/** Who visits boxes, and rows that follow each other. */
typedef struct hit_where_visitor {
    hit_status (*box)(void *of, const hit_domain *box);
    /** @p first is the box of the first one, but for ranges->across. NULL: each is
     * visited as a box. */
    hit_status (*rows)(void *of, const hit_domain *first, const hit_ranges *ranges);
    void *of;
} hit_where_visitor;

/** hit_where_each() with such a visitor. */
hit_status hit_where_each_row(const hit_where *where, const hit_domain *box,
                              const signed char order[], const hit_slot slot[],
                              const hit_where_visitor *visitor);

#endif
