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

HIT_C_END

#endif
