/* SPDX-License-Identifier: MIT
 * Layouts that follow another one's cuts. */
#ifndef HIT_TOPO_LAYOUT_LIKE_H
#define HIT_TOPO_LAYOUT_LIKE_H

#include "hit/topo/layout.h"

HIT_C_BEGIN

/** A layout of @p domain that follows the cuts of @p layout: the owner of index x is the
 * owner of factor * x in @p layout. A factor * x outside of its domain counts as the
 * nearest index inside, one between two indices of a strided domain as the one before.
 * For fields of n + 1 faces beside n cells (factor 1), and for coarse grids (factor 2).
 * It is the layout "boxes", which prints the boxes of each rank.
 *
 * @shape  domain: as many dimensions as @p layout has; factor: one per dimension, >= 1;
 *         NULL: 1 for each
 * @collective no; all processes must give the same
 * @owner  *made is the caller's: hit_layout_destroy(); it does not keep @p layout
 * @errors HIT_E_ARG another number of dimensions, a factor < 1 or so large that factor *
 *         x passes HIT_INDEX_LIMIT; nobody owns anything of @p layout; HIT_E_NOMEM
 */
HIT_API hit_status hit_layout_like(const hit_layout *layout, hit_domain domain,
                                   const hit_index factor[], hit_layout **made);

HIT_C_END

#endif
