/* SPDX-License-Identifier: MIT
 * Internal to layouts: how a layout is cut, whatever its plug-in, by the parts it has. */
#ifndef LAYOUTS_PARTS_H
#define LAYOUTS_PARTS_H

#include "hit/topo/layout.h"

/** The shares of all ranks: elements along *dim, if the layout is one box each, in order,
 * cut along that dimension only; if *dim < 0 it is looked for, and stays -1 where the
 * boxes are cut along dimensions 0 and 1: shares are then elements of these two.
 * @shape share: one per rank @errors HIT_E_ARG a layout that is not cut so */
hit_status hit_parts_read(const hit_layout *layout, int *dim, hit_index share[]);
/** The part of all elements that have another owner in @p after, of two layouts of a
 * domain with at most one box each. */
hit_status hit_parts_moved(const hit_layout *before, const hit_layout *after,
                           double *moved);

#endif
