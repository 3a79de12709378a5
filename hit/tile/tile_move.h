/* SPDX-License-Identifier: MIT
 * Elements of tiles, moved between processes, layouts and programs. */
#ifndef HIT_TILE_TILE_MOVE_H
#define HIT_TILE_TILE_MOVE_H

#include "hit/tile/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copy the whole tile to @p root as a dense row-major array in @p buffer (ignored
 * elsewhere).
 * @collective yes @errors HIT_E_ARG root; HIT_E_NOMEM; HIT_E_COMM; HIT_E_PEER */
HIT_API hit_status hit_tile_gather(hit_tile *tile, int root, void *buffer);

/** The reverse: every element of the tile is written from @p buffer of @p root. */
HIT_API hit_status hit_tile_scatter(hit_tile *tile, int root, const void *buffer);

/** Read one element on every process: the result of a norm, say; @p index is NULL for a
 * scalar.
 * @collective yes @errors HIT_E_ARG outside the domain; HIT_E_COMM */
HIT_API hit_status hit_tile_get(hit_tile *tile, const hit_index index[], void *value);

/** Set every element to *value, of the tile's type. @collective no: what this process
 * owns */
HIT_API hit_status hit_tile_fill(hit_tile *tile, const void *value);

/** Copy all elements that @p from and @p to have in common, from any layout to any other.
 * @collective yes @errors HIT_E_ARG different types or numbers of dimensions; the same
 * memory */
HIT_API hit_status hit_tile_copy(hit_tile *from, hit_tile *to);

/** Distribute a tile anew, as @p layout says: every element keeps its value. What it
 * takes is memory for both distributions at once.
 *
 * @collective yes
 * @errors HIT_E_ARG another domain; a selection, or a tile with selections; HIT_E_NOMEM;
 * HIT_E_PEER; the tile is unchanged then
 */
HIT_API hit_status hit_tile_relayout(hit_tile *tile, hit_layout *layout);

#ifdef __cplusplus
}
#endif

#endif
