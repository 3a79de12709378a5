/* SPDX-License-Identifier: MIT
 * Boundaries: where the elements that a pattern touches outside a tile's domain come
 * from. */
#ifndef HIT_DATA_BOUNDARY_H
#define HIT_DATA_BOUNDARY_H

#include "hit/data/ndcopy.h"

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
