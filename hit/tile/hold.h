/* SPDX-License-Identifier: MIT
 * Views that outlive launches: for languages whose arrays live as long as somebody has
 * them. */
#ifndef HIT_TILE_HOLD_H
#define HIT_TILE_HOLD_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** Keep the memory of views of @p tile until hit_tile_release(), as often as it is held:
 * where a launch gives the tile a larger memory, for a halo, what hit_tile_map() gave
 * before stays memory that can be read, with the elements as they were. Counted for a
 * tile and its selections together; while it is held hit_tile_relayout() refuses the tile
 * (HIT_E_ARG). The tile must stay. Of hit_tile_adopt() the memory is the program's to
 * keep.
 * @collective no @errors HIT_E_ARG */
HIT_API hit_status hit_tile_hold(hit_tile *tile);
/** The reverse. Accepts NULL, and a tile that is not held. */
HIT_API void hit_tile_release(hit_tile *tile);

/** Look at a piece as hit_tile_map() does, in the memory of the first device of this
 * process that is of @p kind, such as "cuda", and has a memory of its own: what is there
 * stays there, what is not is copied. All launches are done then, and what the program
 * does there must be done before its next call. Valid until the next call of the library;
 * while the tile is held that memory is kept, and read-only from the next call with the
 * tile on, as views in the host's memory are.
 * @collective as hit_tile_map()
 * @errors HIT_E_ABSENT there is no such device; HIT_E_ARG no such piece; HIT_E_LIMIT the
 * piece does not fit; HIT_E_DEVICE */
HIT_API hit_status hit_tile_map_device(hit_tile *tile, int piece, const char *kind,
                                       hit_intent intent, hit_view *view);

HIT_C_END

#endif
