/* SPDX-License-Identifier: MIT
 * Internal: elements of this process that are not what they should be, since a launch
 * could not write them. Other processes wait for what a launch sends, so a launch that
 * fails sends its messages, which say so. A launch that reads lost elements fails alike.
 * With one process the call returns the failure, and nothing is lost. */
#ifndef HIT_TILE_LOST_H
#define HIT_TILE_LOST_H

#include "hit/tile/tile_impl.h"

/** What launches could not write of a piece of a storage. */
typedef struct hit_lost_piece {
    bool any;
    hit_domain box; /**< around all that is lost */
} hit_lost_piece;

typedef struct hit_lost {
    hit_status status; /**< of the first failure, with its text */
    char why[200];
    hit_lost_piece *piece; /**< in the same block of memory */
} hit_lost;

/** Before the storage is used. @errors HIT_E_NOMEM */
hit_status hit_storage_make_lost(hit_storage *storage);
/** Is anything lost of it? The functions below say where. */
static inline bool hit_storage_has_lost(const hit_storage *storage)
{
    return storage->lost != NULL && storage->lost->status != HIT_OK;
}
/** What the storage owns of @p box in piece @p piece is lost, by a launch that failed
 * with
 * @p status, which is the last failure of this thread. */
void hit_storage_lose(hit_storage *storage, int piece, const hit_domain *box,
                      hit_status status);
/** The same for all that @p tile owns of it. */
void hit_tile_lose(const hit_tile *tile, const hit_domain *box, hit_status status);
/** What @p tile owns of @p box was written anew. */
void hit_tile_restore(const hit_tile *tile, const hit_domain *box);
/** Fail alike if any of @p box, of piece @p piece of the storage, is lost. */
hit_status hit_storage_check_lost(const hit_storage *storage, int piece,
                                  const hit_domain *box);
/** The same for what @p tile owns. */
hit_status hit_tile_check_lost(const hit_tile *tile, const hit_domain *box);

#endif
