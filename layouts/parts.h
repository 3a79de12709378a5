/* SPDX-License-Identifier: MIT
 * Internal to layouts: how a layout is cut, whatever its plug-in, by the parts it has. */
#ifndef LAYOUTS_PARTS_H
#define LAYOUTS_PARTS_H

#include "hit/topo/layout.h"

/** How a layout is cut: along this dimension, or so. */
enum {
    HIT_PARTS_ANY = -1,  /**< to be found out */
    HIT_PARTS_PLANE = -2 /**< along dimensions 0 and 1 */
};

/** The shares of all ranks of a layout with at most one box each: elements along *dim, of
 * slices in order that are cut along that dimension only, or elements of dimensions 0 and
 * 1. HIT_PARTS_ANY becomes what the layout is; slices count as such.
 * @shape share: one per rank @errors HIT_E_ARG a layout that is not cut so */
hit_status hit_parts_read(const hit_layout *layout, int *dim, hit_index share[]);
/** The part of all elements that have another owner in @p after, of two layouts of a
 * domain with at most one box each. */
hit_status hit_parts_moved(const hit_layout *before, const hit_layout *after,
                           double *moved);

#endif
