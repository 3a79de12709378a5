/* SPDX-License-Identifier: MIT
 * Internal: the elements beyond a boundary as launches of a chain: each copies a layer of
 * elements of the tile, or what lies there already, to the layer beyond one side. */
#ifndef HIT_CHAIN_RIM_H
#define HIT_CHAIN_RIM_H

#include "hit/chain/chain.h"
#include "hit/data/nearby.h"

enum {
    HIT_RIMS = 2 * HIT_MAX_DIMS
};

/** What lies beyond one side. */
typedef struct hit_rim {
    int axis;
    hit_domain box;   /**< the elements, all beyond the tile in this axis */
    bool constant;    /**< they have the tile's constant; else element x ... */
    int sign;         /**< ... has the value of element sign * x + offset in this axis */
    hit_index offset; /**< and of the same one in the others */
} hit_rim;

/** The box of @p need, and of the elements that its rims are filled from: a part of one
 * row beside a mirror needs the row behind it. @shape kind: tile->dims */
hit_domain hit_rims_need(const hit_domain *tile, const hit_boundary kind[],
                         const hit_domain *need);
/** The rims of what @p need has beyond @p tile, to be filled in this order; returns their
 * number. -1: a boundary is periodic, so that what lies beyond is far away, or @p need
 * reaches further than the tile.
 * @shape kind: tile->dims; rim: HIT_RIMS */
int hit_rims(const hit_domain *tile, const hit_boundary kind[], const hit_domain *need,
             hit_rim rim[]);
/** The layer of elements that a rim which is not constant is filled from. */
hit_domain hit_rim_source(const hit_rim *rim);
/** What a rim writes and reads, as the patterns of a launch whose indices are those of
 * the box, but one in the rim's axis. A constant rim reads nothing. */
void hit_rim_accesses(const hit_rim *rim, hit_access *writes, hit_access *reads);
/** The indices of that launch. */
hit_domain hit_rim_indices(const hit_rim *rim);

#endif
