/* SPDX-License-Identifier: MIT
 * Who runs which indices of a launch: owner computes. The indices are split as the layout
 * of one tile, through an anchor: the one element of that tile each index belongs to.
 * Pure. */
#ifndef HIT_COMM_SPLIT_H
#define HIT_COMM_SPLIT_H

#include "hit/data/region.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_impl.h"
#include "patterns/where.h"

/** Index x belongs to the rank that owns element anchor(x): in tile dimension t
 * coef[t] * x[follows[t]] + offset[t], or offset[t] where follows[t] is -1. */
typedef struct hit_split {
    const hit_layout *layout; /**< borrowed */
    hit_domain index;         /**< of the launch */
    hit_domain tile; /**< of the tile whose layout splits; inside the layout's domain */
    int follows[HIT_MAX_DIMS];
    hit_index coef[HIT_MAX_DIMS];
    hit_index offset[HIT_MAX_DIMS];
    const hit_where *where; /**< which of the indices are run; NULL: all. Borrowed */
} hit_split;

/** Anchor by a pattern's first expression. @errors HIT_E_PATTERN the expression cannot be
 * inverted, or some index belongs to no element of the tile */
hit_status hit_split_by_pattern(const hit_layout *layout, const hit_domain *tile,
                                const hit_pattern *pattern, const hit_domain *index,
                                hit_split *split);
/** Index x is element x of the layout's domain; the one of a launch without dimensions,
 * which is (0), that of a scalar. @errors HIT_E_ARG the domain does not
 * hold them all */
hit_status hit_split_by_layout(const hit_layout *layout, const hit_domain *index,
                               hit_split *split);
/** How many index dimensions the anchor follows. */
int hit_split_followed(const hit_split *split);
/** The indices that belong to the elements @p owned; the layout is not asked. */
hit_domain hit_split_indices(const hit_split *split, const hit_domain *owned);
/** The indices of @p rank, as disjoint domains, in the order of the layout's part; where
 * some do not run, boxes around those that do. *part must be empty, and is so on failure.
 * @errors HIT_E_NOMEM */
hit_status hit_split_part(const hit_split *split, int rank, hit_region *part);
/** Add the ranks that have indices; maybe a few more. @errors HIT_E_NOMEM */
hit_status hit_split_owners(const hit_split *split, hit_owners *owners);

#endif
