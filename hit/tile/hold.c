/* SPDX-License-Identifier: MIT
 * Views that outlive launches: where a piece's memory was replaced by a larger one
 * (storage.c) while somebody holds views, the old one is kept until nobody does. An array
 * of the program (hit/tile/adopt.h) is never replaced, and is the program's to keep. */
#include "hit/tile/hold.h"

#include "hit/base/input.h"
#include "hit/tile/station.h"

hit_status hit_tile_hold(hit_tile *tile)
{
    HIT_TRY(hit_tile_check_open(tile));
    tile->storage->holds++;
    return HIT_OK;
}

void hit_tile_release(hit_tile *tile)
{
    if (tile == NULL || tile->storage->holds == 0) return;
    if (--tile->storage->holds == 0) hit_storage_give_left(tile->storage);
}

/* ---- in the memory of a device ---- */

/* -1: there is none. */
static int find_device(const hit_context *context, const char *kind)
{
    const hit_on on = {.kernel = "", .of_launch = kind};
    hit_on_device device[HIT_MAX_DEVICES];
    hit_device_set named;

    for (int d = 0; d < context->devices; d++) {
        device[d] = (hit_on_device){context->device[d]->ops->kind, false};
    }
    if (hit_on_find(&on, context->devices, device, &named) != HIT_OK) return -1;
    for (int d = 0; d < context->devices; d++) {
        const bool in_place = hit_device_in_place(context->device[d]);

        if (hit_device_set_has(&named, d) && !in_place) return d;
    }
    return -1;
}

static hit_status lend(hit_residents *all, const hit_wish *wish, hit_view *view)
{
    hit_resident *found;

    HIT_TRY(hit_residents_acquire(all, 1, wish, &found));
    found->lent = true;
    HIT_TRY(hit_residents_release(all, 1, wish, &found));
    HIT_TRY(hit_device_wait(all->device));
    *view = hit_view_select(&found->view, &wish->need);
    return HIT_OK;
}

/* The host's memory and the other devices have the piece as it is, or forget it. */
static hit_status bring_to(hit_tile *tile, int piece, int device, hit_intent intent,
                           hit_view *view)
{
    hit_storage *storage = tile->storage;
    hit_stations *stations = storage->context->stations;
    const int own = tile->piece[piece];
    const hit_domain *box = &tile->owned[piece];
    const bool loads = intent != HIT_WRITE;
    const bool writes = intent != HIT_READ;
    const hit_wish wish = {.home = &storage->home[device],
                           .piece = own,
                           .load = loads,
                           .writes = writes,
                           .host = &storage->view[own],
                           .need = *box,
                           .written = *box,
                           .box = *box};

    HIT_TRY(hit_settle(storage->context));
    HIT_TRY(hit_storage_wait(storage, own, box, writes ? HIT_READ_WRITE : HIT_READ));
    if (loads) HIT_TRY(hit_storage_check_lost(storage, own, box));
    HIT_TRY(hit_storage_touch_others(storage, device, own, box, loads, writes));
    return lend(&stations->station[device].residents, &wish, view);
}

hit_status hit_tile_map_device(hit_tile *tile, int piece, const char *kind,
                               hit_intent intent, hit_view *view)
{
    hit_status status;
    int device;

    HIT_TRY(hit_tile_check_map(tile, piece, intent));
    HIT_TRY(hit_tile_check_called(tile));
    device = find_device(tile->storage->context, kind);
    if (device < 0) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "tile %s: expected a %.40s device with a memory of its own but "
                        "this process has none",
                        tile->storage->name, kind);
    }
    if (piece >= tile->pieces) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: this process has no piece of it",
                        tile->storage->name);
    }
    status = bring_to(tile, piece, device, intent, view);
    if (intent != HIT_READ) hit_storage_written(tile->storage);
    if (status == HIT_OK && intent == HIT_WRITE) {
        hit_tile_restore(tile, &tile->owned[piece]);
    }
    return status;
}
