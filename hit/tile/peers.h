/* SPDX-License-Identifier: MIT
 * Internal: tiles of processes that are not here, in a dry run that plans for them. */
#ifndef HIT_TILE_PEERS_H
#define HIT_TILE_PEERS_H

#include "hit/tile/tile.h"

struct hit_storage;

/** The contexts of all processes. Tiles that outlive theirs keep them. */
typedef struct hit_tile_peers {
    int references;
    int count;
    hit_context **as; /**< by rank, in the same block of memory; NULL: it is elsewhere */
} hit_tile_peers;

/** Without contexts, which the caller sets. @owner the caller: hit_tile_peers_release()
 * @errors HIT_E_NOMEM */
hit_status hit_tile_peers_create(int count, hit_tile_peers **peers);
/** With the last reference the contexts are freed, which were closed. Accepts NULL in
 * *peers; sets it to NULL. */
void hit_tile_peers_release(hit_tile_peers **peers);
/** Let *made be the tile as process @p rank has it. @owner made->owned: free(), also on
 * failure @errors HIT_E_NOMEM */
hit_status hit_tile_as_peer(const hit_tile *tile, hit_tile_peers *peers, int rank,
                            hit_tile *made);
/** A look of this process at its elements in @p box counts as one of the others at theirs
 * in @p others. @errors as hit_storage_touch() */
hit_status hit_storage_touch_peers(const struct hit_storage *storage,
                                   const hit_domain *box, const hit_domain *others,
                                   hit_intent intent);
/** The tile goes. */
void hit_storage_drop_peers(struct hit_storage *storage);

#endif
