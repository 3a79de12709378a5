/* SPDX-License-Identifier: MIT
 * Tiles in arrays that the program has: nothing is copied where launches need no more
 * around them than the arrays hold (docs/adopt.md). */
#ifndef HIT_TILE_ADOPT_H
#define HIT_TILE_ADOPT_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** The program's array for what a process owns of a tile: one box of elements, and ghosts
 * around it, elements that neighbours own or nobody; or several boxes without ghosts, in
 * rows and columns, side by side, as ScaLAPACK has blocks of a matrix. An array in
 * column-major order is a tile with its dimensions in reverse order. */
typedef struct hit_local_array {
    void *first; /**< the first owned element, in memory of the host */
    /** From one element to the next in each dimension, in elements: the last is 1, and
     * each is at least what lies in one of its steps, of all boxes. All 0: the array has
     * the owned elements and the ghosts, and nothing between them. */
    hit_index stride[HIT_MAX_DIMS];
    hit_index before[HIT_MAX_DIMS]; /**< ghosts before the owned box ... */
    hit_index behind[HIT_MAX_DIMS]; /**< ... and behind it, in each dimension */
} hit_local_array;

/** Make a tile of the elements that the program has in @p array: they keep their values,
 * and launches read and write them there. Beside the owned elements and the ghosts
 * nothing is written. What a ghost holds is the library's: what launches needed, or left.
 *
 * Launches that need more around the owned box than the ghosts, or of chains that
 * exchange deeper halos, run in a buffer of the library: the elements are copied there,
 * and back when the program looks. HIT_PROFILE counts the bytes.
 *
 * The program reads and writes owned elements between hit_tile_map() and the next call
 * with the tile; the view lies in the array. At other times they may be elsewhere, or be
 * written. hit_tile_swap() exchanges tiles, not memory: each stays with its array.
 * hit_tile_relayout() is refused; hit_tile_copy() moves elements to another tile.
 *
 * @param array NULL, or without elements, where this process owns nothing
 * @collective yes: all processes give the same layout and type, each its own array
 * @owner  *tile is the caller's until hit_tile_destroy(), before hit_close(), which
 *         leaves what launches wrote in the array. The array is the program's; it stays,
 *         and is used by nothing else, until then. *array itself is copied
 * @errors HIT_E_ARG several boxes on a process with ghosts or not in rows and columns, an
 *         address that is NULL, of a GPU's memory, or that elements of the type cannot
 *         have, strides, ghosts; those of hit_tile_create() */
HIT_API hit_status hit_tile_adopt(hit_layout *layout, hit_type type, const char *name,
                                  const hit_local_array *array, hit_tile **tile);

HIT_C_END

#endif
