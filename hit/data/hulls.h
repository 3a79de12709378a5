/* SPDX-License-Identifier: MIT
 * Internal: hulls around domains, and a tree of them: which of many domains are near
 * something, without a look at all of them. */
#ifndef HIT_DATA_HULLS_H
#define HIT_DATA_HULLS_H

#include "hit/data/domain.h"

/** The least box around others, in elements; ends are inclusive. */
typedef struct hit_hull {
    hit_index begin[HIT_MAX_DIMS];
    hit_index end[HIT_MAX_DIMS];
} hit_hull;

/** Begins behind its end: around nothing. It meets no other. */
hit_hull hit_hull_of_nothing(void);
/** Around @p box alone. */
hit_hull hit_hull_of(const hit_domain *box);
/** Let @p hull hold @p box, too. */
void hit_hull_widen(hit_hull *hull, const hit_domain *box);
/** In the first @p dims dimensions. */
bool hit_hull_meets(const hit_hull *a, const hit_hull *b, int dims);

/** The domains of a list, which is borrowed: those of a layout's part, of a tile's
 * pieces. {0} is empty. */
typedef struct hit_hulls {
    int count;
    const hit_domain *box;
    hit_hull *node; /**< around groups of them; NULL: there are few */
    int leaves;     /**< groups, filled up to a power of two */
} hit_hulls;

/** @owner the caller: hit_hulls_clear() @errors HIT_E_NOMEM */
hit_status hit_hulls_make(const hit_domain box[], int count, hit_hulls *made);
/** The first from number @p from on that may have elements in @p near; -1: there is none.
 * In time that grows with the logarithm of their number where those near each other in
 * the list are so in space, too. */
int hit_hulls_next(const hit_hulls *hulls, int from, const hit_hull *near);
void hit_hulls_clear(hit_hulls *hulls);

#endif
