/* SPDX-License-Identifier: MIT
 * Views that outlive launches: where a piece's memory was replaced by a larger one
 * (storage.c) while somebody holds views, the old one is kept until nobody does. An array
 * of the program (hit/tile/adopt.h) is never replaced, and is the program's to keep. */
#include "hit/tile/hold.h"

#include "hit/base/alloc.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>

hit_status hit_storage_leave(hit_storage *storage, const hit_view *old)
{
    if (storage->holds == 0) {
        hit_storage_give(storage, old);
        return HIT_OK;
    }
    HIT_TRY(hit_memory_resize((size_t)storage->lefts + 1, sizeof(*storage->left),
                              storage->name, &storage->left));
    storage->left[storage->lefts++] = *old;
    return HIT_OK;
}

void hit_storage_give_left(hit_storage *storage)
{
    while (storage->lefts > 0) {
        hit_storage_give(storage, &storage->left[--storage->lefts]);
    }
    free(storage->left);
    storage->left = NULL;
}

hit_status hit_tile_hold(hit_tile *tile)
{
    if (tile == NULL) return HIT_FAIL(HIT_E_ARG, "expected a tile but found NULL");
    HIT_TRY(hit_tile_check_open(tile));
    tile->storage->holds++;
    return HIT_OK;
}

void hit_tile_release(hit_tile *tile)
{
    if (tile == NULL || tile->storage->holds == 0) return;
    if (--tile->storage->holds == 0) hit_storage_give_left(tile->storage);
}
