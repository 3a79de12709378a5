/* SPDX-License-Identifier: MIT
 * Tiles for programs whose arrays and loops stay their own: elements around those that a
 * process owns, and tiles of an array that one process has. */
#ifndef HIT_TILE_ARRAY_H
#define HIT_TILE_ARRAY_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** Look at the elements that this process owns, and at those around them that a loop over
 * them reads: @p pattern is that of an argument of a kernel whose indices are elements of
 * the tile, with the names i, j, k and l ("[i-1:i+1, j]"). What others own comes by
 * messages.
 *
 * *view is a copy, only to be read: the smallest box around what is owned and what the
 * pattern says of it. Elements of that box that it does not say, such as the corners of a
 * star, are 0 or what stands at their place. What lies outside the tile is what its
 * boundary says, and the tile's constant (hit_tile_set_boundary(); 0) in dimensions
 * without one. Where this process owns nothing it has no elements.
 *
 * @collective yes
 * @owner the tile has the memory, until the next call with it or hit_tile_destroy();
 *        launches leave it as it is
 * @errors HIT_E_PATTERN; HIT_E_ARG a process that owns several boxes, a tile with
 *         strides; HIT_E_NOMEM; HIT_E_COMM; HIT_E_PEER */
HIT_API hit_status hit_tile_map_around(hit_tile *tile, const char *pattern,
                                       hit_view *view);

/** A tile of the elements in @p array, dense and row after row, of process @p root
 * (ignored elsewhere): hit_tile_create(), then hit_tile_scatter().
 * @collective yes @owner *tile is the caller's until hit_tile_destroy(); *array is copied
 * @errors those of both */
HIT_API hit_status hit_tile_from_array(hit_layout *layout, hit_type type,
                                       const char *name, int root, const void *array,
                                       hit_tile **tile);

HIT_C_END

#endif
