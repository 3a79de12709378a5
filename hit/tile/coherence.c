/* SPDX-License-Identifier: MIT
 * Coherence between host and devices. A context without stations is closed, or was made
 * for planning: nothing is elsewhere. */
#include "hit/tile/coherence.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/tile/station.h"

#include <stdlib.h>

/* Wait for what launches left to device @p d. */
static hit_status settle_on(hit_context *context, int d)
{
    hit_station *station = &context->stations->station[d];
    hit_status status;
    double start_s;

    if (!station->in_flight) return HIT_OK;
    start_s = hit_clock_now(&context->clock);
    status = hit_station_wait(station);
    context->stations->busy_s += hit_clock_now(&context->clock) - start_s;
    return status;
}

static hit_status settle_devices(hit_context *context)
{
    const hit_stations *stations = context->stations;
    hit_status first = HIT_OK;

    for (int d = 0; stations != NULL && d < stations->count; d++) {
        const hit_status status = settle_on(context, d);

        if (first == HIT_OK) first = status;
    }
    return first;
}

hit_status hit_settle(hit_context *context)
{
    hit_stations *stations = context->stations;

    if (stations == NULL) return HIT_OK;
    hit_stations_keep_failure(stations, hit_stations_run_deferred(stations));
    hit_stations_keep_failure(stations, settle_devices(context));
    return hit_stations_tell_failure(stations);
}

/* Run deferred launches if one of them uses @p storage. */
static void run_deferred_of(const hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;
    const hit_deferred *deferred = stations != NULL ? &stations->deferred : NULL;

    if (deferred == NULL || deferred->queue == NULL) return;
    if (!deferred->uses(deferred->queue, storage)) return;
    hit_stations_keep_failure(stations, deferred->run(deferred->queue));
}

hit_status hit_storage_settle(hit_storage *storage)
{
    run_deferred_of(storage);
    return settle_devices(storage->context);
}

hit_status hit_storage_make_homes(hit_storage *storage)
{
    HIT_TRY(hit_memory_zeroed((size_t)storage->context->devices, sizeof(hit_home),
                              &storage->home));
    for (int d = 0; d < storage->context->devices; d++) {
        storage->home[d].storage = storage;
    }
    return HIT_OK;
}

void hit_storage_drop_homes(hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;

    run_deferred_of(storage);
    if (stations != NULL) {
        hit_stations_keep_failure(stations, settle_devices(storage->context));
    }
    for (int d = 0; d < storage->context->devices && storage->home != NULL; d++) {
        hit_residents_drop(&storage->home[d]);
    }
    free(storage->home);
    storage->home = NULL;
}

static bool streams(const hit_storage *storage, int d)
{
    const hit_stations *stations = storage->context->stations;

    return stations != NULL && stations->station[d].streams;
}

bool hit_storage_is_away(const hit_storage *storage)
{
    for (int d = 0; d < storage->context->devices; d++) {
        if (storage->home[d].first != NULL || streams(storage, d)) return true;
    }
    return false;
}

/* What device @p d holds. */
static hit_status touch_on(hit_storage *storage, int d, int piece, const hit_domain *box,
                           hit_intent intent)
{
    hit_home *home = &storage->home[d];

    if (home->first == NULL && !streams(storage, d)) return HIT_OK;
    HIT_TRY(settle_on(storage->context, d));
    if (intent != HIT_WRITE) {
        HIT_TRY(hit_residents_sync(&storage->context->stations->station[d].residents,
                                   home, piece, box));
    }
    if (intent == HIT_READ) return HIT_OK;
    return hit_residents_forget(home, piece, box);
}

hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent)
{
    hit_stations *stations = storage->context->stations;

    if (stations == NULL) return HIT_OK;
    HIT_TRY(hit_stations_run_deferred(stations));
    HIT_TRY(hit_stations_tell_failure(stations));
    for (int d = 0; d < storage->context->devices; d++) {
        HIT_TRY(touch_on(storage, d, piece, box, intent));
    }
    return HIT_OK;
}

hit_status hit_storage_touch_others(hit_storage *storage, int device, int piece,
                                    const hit_domain *box, bool loads, bool writes)
{
    for (int d = 0; d < storage->context->devices; d++) {
        if (d == device) continue;
        if (loads) HIT_TRY(touch_on(storage, d, piece, box, HIT_READ));
        if (writes) HIT_TRY(touch_on(storage, d, piece, box, HIT_WRITE));
    }
    return HIT_OK;
}

hit_status hit_tile_touch(hit_tile *tile, hit_intent intent)
{
    for (int k = 0; k < tile->pieces; k++) {
        HIT_TRY(
            hit_storage_touch(tile->storage, tile->piece[k], &tile->owned[k], intent));
    }
    return HIT_OK;
}
