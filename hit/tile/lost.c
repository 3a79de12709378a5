/* SPDX-License-Identifier: MIT
 * Lost elements, as one box for each piece of a storage: one that is too large fails more
 * launches than it must, and none too few. */
#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/tile/station.h"

#include <stdio.h>

hit_status hit_storage_make_lost(hit_storage *storage)
{
    const size_t bytes = (size_t)storage->pieces * sizeof(hit_lost_piece);

    if (storage->context->size == 1) return HIT_OK;
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_lost) + bytes, &storage->lost));
    storage->lost->piece = (hit_lost_piece *)(storage->lost + 1);
    return HIT_OK;
}

void hit_storage_lose(hit_storage *storage, int piece, const hit_domain *box,
                      hit_status status)
{
    hit_lost *lost = storage->lost;
    hit_domain own;

    if (lost == NULL || piece >= storage->pieces) return;
    own = hit_domain_intersect(&storage->owned[piece], box);
    if (hit_domain_is_empty(&own)) return;
    if (lost->status == HIT_OK) {
        lost->status = status;
        storage->context->stations->lost = true;
        (void)snprintf(lost->why, sizeof(lost->why), "%s", hit_status_text());
    }
    if (lost->piece[piece].any) own = hit_domain_cover(&lost->piece[piece].box, &own);
    lost->piece[piece].box = own;
    lost->piece[piece].any = true;
}

void hit_tile_lose(const hit_tile *tile, const hit_domain *box, hit_status status)
{
    for (int k = 0; k < tile->pieces; k++) {
        hit_storage_lose(tile->storage, tile->piece[k], box, status);
    }
}

void hit_tile_restore(const hit_tile *tile, const hit_domain *box)
{
    hit_lost *lost = tile->storage->lost;
    bool any = false;

    if (!hit_storage_has_lost(tile->storage)) return;
    for (int k = 0; k < tile->pieces; k++) {
        const hit_domain own = hit_domain_intersect(&tile->owned[k], box);
        const int s = tile->piece[k];

        if (hit_domain_inside(&lost->piece[s].box, &own)) lost->piece[s].any = false;
    }
    for (int s = 0; s < tile->storage->pieces; s++) {
        any = any || lost->piece[s].any;
    }
    if (!any) lost->status = HIT_OK;
}

hit_status hit_storage_check_lost(const hit_storage *storage, int piece,
                                  const hit_domain *box)
{
    const hit_lost *lost = storage->lost;
    hit_domain both;
    char text[128];

    if (!hit_storage_has_lost(storage) || !lost->piece[piece].any) return HIT_OK;
    both = hit_domain_intersect(&lost->piece[piece].box, box);
    if (hit_domain_is_empty(&both)) return HIT_OK;
    hit_domain_print(&both, text, sizeof(text));
    return HIT_FAIL(lost->status,
                    "tile %s: %s was not written by a launch that failed: %s",
                    storage->name, text, lost->why);
}

hit_status hit_tile_check_lost(const hit_tile *tile, const hit_domain *box)
{
    for (int k = 0; k < tile->pieces; k++) {
        const hit_domain own = hit_domain_intersect(&tile->owned[k], box);

        HIT_TRY(hit_storage_check_lost(tile->storage, tile->piece[k], &own));
    }
    return HIT_OK;
}
