/* SPDX-License-Identifier: MIT
 * Internal: what is near a domain, and what lies beyond it. */
#ifndef HIT_DATA_NEARBY_H
#define HIT_DATA_NEARBY_H

#include "hit/data/domain.h"
#include "hit/data/ndcopy.h"

/* hulls.c: hulls around domains, and a tree of them: which of many domains are near
 * something, without a look at all of them. */

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
hit_hull hit_hull_around(const hit_hull *a, const hit_hull *b);
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
/** The first that holds all of @p box, which is not empty; -1: there is none. */
int hit_hulls_holding(const hit_hulls *hulls, const hit_domain *box);
void hit_hulls_clear(hit_hulls *hulls);

/* boundary.c: boundaries: where the elements that a pattern touches outside a tile's
 * domain come from. */

/** A box of needed elements and the elements of the tile they come from. */
typedef struct hit_image {
    hit_domain domain; /**< disjoint from the other images of the same need */
    hit_remap remap;   /**< to elements inside the tile; meaningless if constant */
    bool constant;     /**< the elements have the tile's constant */
} hit_image;

/** Cut @p need into images, by what lies outside @p tile in each dimension.
 *
 * @owner  *images is the caller's: free()
 * @errors HIT_E_PATTERN @p need leaves the tile in a dimension without a boundary, or so
 * far that it would be more than 64 pieces long; HIT_E_NOMEM
 */
hit_status hit_boundary_images(const hit_domain *tile, const hit_boundary kind[],
                               const hit_domain *need, int *count, hit_image **images);

#endif
