/* SPDX-License-Identifier: MIT
 * Tiles of other processes, in a dry run that plans for them. Each has a context of its
 * own, and of each tile the storage that it would have. No program reads its memory. */
#include "hit/tile/peers.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>
#include <string.h>

hit_status hit_tile_peers_create(int count, hit_tile_peers **peers)
{
    hit_tile_peers *made = NULL;

    HIT_TRY(
        hit_memory_zeroed(1, sizeof(*made) + (size_t)count * sizeof(*made->as), &made));
    made->as = (hit_context **)(made + 1);
    made->count = count;
    made->references = 1;
    *peers = made;
    return HIT_OK;
}

void hit_tile_peers_release(hit_tile_peers **peers_pointer)
{
    hit_tile_peers *peers = *peers_pointer;

    *peers_pointer = NULL;
    if (peers == NULL || --peers->references > 0) return;
    for (int k = 0; k < peers->count; k++) {
        free(peers->as[k]);
    }
    free(peers);
}

/* ---- storages ---- */

static hit_status make(const hit_storage *storage, hit_context *as, hit_storage **peer)
{
    const hit_tile_request request = {.layout = storage->layout,
                                      .type = storage->type,
                                      .name = storage->name,
                                      .as = as};

    return hit_storage_create(&request, storage->number, peer);
}

/* What all processes know of it alike. */
static void follow(const hit_storage *storage, hit_storage *peer)
{
    peer->version = storage->version;
    peer->looks = storage->looks;
    memcpy(peer->boundary, storage->boundary, sizeof(peer->boundary));
    memcpy(peer->constant, storage->constant, storage->type.size_bytes);
}

static hit_status find(hit_storage *storage, hit_tile_peers *peers, int rank,
                       hit_storage **peer)
{
    if (storage->peers == NULL) {
        HIT_TRY(hit_memory_zeroed((size_t)peers->count, sizeof(*storage->peer),
                                  &storage->peer));
        storage->peers = peers;
        peers->references++;
    }
    if (storage->peer[rank] == NULL) {
        HIT_TRY(make(storage, peers->as[rank], &storage->peer[rank]));
    }
    *peer = storage->peer[rank];
    follow(storage, *peer);
    return HIT_OK;
}

void hit_storage_drop_peers(hit_storage *storage)
{
    for (int k = 0; storage->peers != NULL && k < storage->peers->count; k++) {
        hit_storage_release(&storage->peer[k]);
    }
    free(storage->peer);
    storage->peer = NULL;
    hit_tile_peers_release(&storage->peers);
}

hit_status hit_storage_touch_peers(const hit_storage *storage, const hit_domain *box,
                                   const hit_domain *others, hit_intent intent)
{
    const int me = storage->context->rank;

    for (int k = 0; storage->peers != NULL && k < storage->peers->count; k++) {
        hit_storage *peer = storage->peer[k];

        for (int p = 0; peer != NULL && p < peer->pieces; p++) {
            const hit_domain common =
                hit_domain_intersect(&peer->owned[p], k == me ? box : others);

            if (hit_domain_is_empty(&common)) continue;
            HIT_TRY(hit_storage_touch(peer, p, &common, intent));
        }
    }
    return HIT_OK;
}

/* ---- tiles ---- */

hit_status hit_tile_as_peer(const hit_tile *tile, hit_tile_peers *peers, int rank,
                            hit_tile *made)
{
    *made = (hit_tile){.domain = tile->domain};
    memcpy(made->boundary, tile->boundary, sizeof(made->boundary));
    HIT_TRY(find(tile->storage, peers, rank, &made->storage));
    return hit_tile_find_pieces(made);
}
