/* SPDX-License-Identifier: MIT
 * Coherence between host and devices. A context without stations is closed, or was made
 * for planning: nothing is elsewhere. */
#include "hit/base/memory.h"
#include "hit/tile/peers.h"
#include "hit/tile/station.h"

#include <stdlib.h>
#include <unistd.h>

/* Errors of what a scheduler runs are not those of this caller. */
static void settle_keeper(hit_stations *stations)
{
    if (stations->keeper.self == NULL) return;
    hit_stations_keep_failure(stations, stations->keeper.settle(stations->keeper.self));
}

hit_status hit_settle(hit_context *context)
{
    hit_stations *stations = context->stations;

    if (stations == NULL) return HIT_OK;
    hit_stations_keep_failure(stations, hit_stations_finish_deferred(stations));
    settle_keeper(stations);
    hit_stations_keep_failure(stations, hit_stations_settle(stations));
    return hit_stations_tell_failure(stations);
}

hit_status hit_storage_log(hit_storage *storage, int piece, const hit_domain *box,
                           bool writes, int source, uint64_t event)
{
    hit_stations *stations = storage->context->stations;

    HIT_TRY(hit_fence_add(storage->fence, piece, box, writes, source, event));
    stations->logged[source] = event;
    return HIT_OK;
}

hit_status hit_storage_log_recorded(hit_storage *storage, bool writes)
{
    const hit_stations *stations = storage->context->stations;

    for (int p = 0; p < storage->pieces; p++) {
        HIT_TRY(hit_storage_log(storage, p, &storage->view[p].domain, writes,
                                hit_source_of_recorded(stations),
                                stations->recorded.asked));
    }
    return HIT_OK;
}

hit_status hit_storage_wait_for_tasks(const hit_storage *storage, int piece,
                                      const hit_domain *box, bool writes)
{
    hit_stations *stations = storage->context->stations;
    double start_s;
    hit_status status;

    if (!hit_tasks_any(stations->tasks)) return HIT_OK;
    start_s = hit_clock_now(stations->clock);
    status = hit_fence_visit(storage->fence, piece, box, writes, hit_tasks_wait,
                             stations->tasks);
    stations->busy_s += hit_clock_now(stations->clock) - start_s;
    return status;
}

/* Errors of deferred launches are not those of this caller. */
static void finish_deferred_of(const hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;
    uint64_t event[HIT_MAX_SOURCES];

    hit_stations_keep_failure(stations,
                              hit_storage_wait_for_tasks(storage, 0, NULL, true));
    if (!hit_fence_find(storage->fence, 0, NULL, true, event)) return;
    if (event[hit_source_of_recorded(stations)] == 0) return;
    hit_stations_keep_failure(stations, hit_stations_run_recorded(stations));
}

hit_status hit_storage_settle(hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;

    if (stations == NULL) return HIT_OK;
    finish_deferred_of(storage);
    settle_keeper(stations);
    stations->grown++;
    return hit_stations_settle(stations);
}

hit_status hit_storage_make_homes(hit_storage *storage)
{
    const hit_stations *stations = storage->context->stations;

    HIT_TRY(hit_memory_zeroed((size_t)storage->context->devices, sizeof(hit_home),
                              &storage->home));
    for (int d = 0; d < storage->context->devices; d++) {
        storage->home[d].storage = storage;
    }
    return hit_fence_create(hit_source_of_recorded(stations) + 1,
                            hit_source_of_tasks(stations), stations->over,
                            &storage->fence);
}

void hit_storage_drop_homes(hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;

    if (storage->context->process != getpid()) stations = NULL; /* forked: no threads */
    if (stations != NULL) {
        finish_deferred_of(storage);
        if (stations->recorded.block != NULL) {
            stations->recorded.forget(stations->recorded.block, storage);
        }
        if (stations->keeper.self != NULL) {
            stations->keeper.drop(stations->keeper.self, storage);
        }
        hit_stations_keep_failure(stations, hit_stations_settle(stations));
    }
    for (int d = 0; d < storage->context->devices && storage->home != NULL; d++) {
        hit_residents_drop(&storage->home[d]);
    }
    free(storage->home);
    storage->home = NULL;
    hit_storage_drop_constants(storage);
    hit_fence_destroy(&storage->fence);
}

static bool has_homes(const hit_storage *storage)
{
    for (int d = 0; d < storage->context->devices; d++) {
        if (storage->home[d].first != NULL) return true;
    }
    return false;
}

bool hit_storage_is_away(const hit_storage *storage)
{
    if (has_homes(storage)) return true;
    if (storage->context->stations->keeper.self != NULL) return true;
    return hit_fence_boxes(storage->fence) > 0;
}

/* A device that holds some of it may still be reading the host's memory of it: what it
 * loads is logged nowhere. */
static hit_status wait_for_holder(const hit_storage *storage, int d)
{
    hit_stations *stations = storage->context->stations;

    if (storage->home[d].first == NULL || !stations->station[d].in_flight) return HIT_OK;
    return hit_station_wait(stations, d);
}

/* What device @p d holds. */
static hit_status touch_on(hit_storage *storage, int d, int piece, const hit_domain *box,
                           hit_intent intent)
{
    hit_home *home = &storage->home[d];

    if (home->first == NULL) return HIT_OK;
    if (intent != HIT_WRITE) {
        HIT_TRY(hit_residents_sync(&storage->context->stations->station[d].residents,
                                   home, piece, box));
    }
    if (intent == HIT_READ) return HIT_OK;
    return hit_residents_forget(home, piece, box);
}

/* @p half: what is written is renewed afterwards. */
static hit_status touch_kept(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent, bool half)
{
    const hit_keeper *keeper = &storage->context->stations->keeper;

    if (keeper->self == NULL) return HIT_OK;
    if (half && intent == HIT_WRITE) {
        return keeper->await(keeper->self, storage, piece, box);
    }
    return keeper->touch(keeper->self, storage, piece, box, intent);
}

/* For what is logged: launches that did not run yet, and copies of streams. */
static hit_status wait_for_logged(hit_storage *storage, int piece, const hit_domain *box,
                                  hit_intent intent, bool half)
{
    hit_stations *stations = storage->context->stations;
    uint64_t event[HIT_MAX_SOURCES];

    HIT_TRY(hit_storage_wait_for_tasks(storage, piece, box, intent != HIT_READ));
    HIT_TRY(touch_kept(storage, piece, box, intent, half));
    if (hit_fence_find(storage->fence, piece, box, intent != HIT_READ, event)) {
        HIT_TRY(hit_stations_wait(stations, event));
    }
    return hit_stations_tell_failure(stations);
}

static hit_status wait_for_memory(hit_storage *storage, int piece, const hit_domain *box,
                                  hit_intent intent, bool half)
{
    HIT_TRY(wait_for_logged(storage, piece, box, intent, half));
    for (int d = 0; d < storage->context->devices; d++) {
        HIT_TRY(wait_for_holder(storage, d));
    }
    return HIT_OK;
}

hit_status hit_storage_wait(hit_storage *storage, int piece, const hit_domain *box,
                            hit_intent intent)
{
    return wait_for_memory(storage, piece, box, intent, true);
}

hit_status hit_storage_forget(hit_storage *storage, int piece, const hit_domain *box)
{
    const hit_keeper *keeper = &storage->context->stations->keeper;

    if (keeper->self != NULL) HIT_TRY(keeper->renew(keeper->self, storage, piece, box));
    for (int d = 0; d < storage->context->devices; d++) {
        HIT_TRY(touch_on(storage, d, piece, box, HIT_WRITE));
    }
    return HIT_OK;
}

hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent)
{
    if (storage->context->stations == NULL) return HIT_OK;
    HIT_TRY(wait_for_memory(storage, piece, box, intent, false));
    if (intent != HIT_WRITE) HIT_TRY(hit_storage_check_lost(storage, piece, box));
    for (int d = 0; d < storage->context->devices; d++) {
        HIT_TRY(touch_on(storage, d, piece, box, intent));
    }
    return HIT_OK;
}

hit_status hit_storage_bring_home(hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;

    HIT_TRY(hit_storage_settle(storage));
    if (stations == NULL) return HIT_OK;
    for (int k = 0; k < storage->pieces; k++) {
        const hit_domain *all = &storage->view[k].domain;

        HIT_TRY(hit_storage_wait(storage, k, all, HIT_READ));
        for (int d = 0; d < storage->context->devices; d++) {
            HIT_TRY(touch_on(storage, d, k, all, HIT_READ));
        }
    }
    if (stations->keeper.self != NULL) {
        stations->keeper.drop(stations->keeper.self, storage);
    }
    return HIT_OK;
}

/* ---- what has the constant of the boundary ---- */

enum {
    CONSTANTS = 64 /* boxes that are known; what is forgotten is filled in again */
};

bool hit_storage_is_constant(const hit_storage *storage, int piece, const hit_domain *box)
{
    bool yes = false;

    if (storage->constants == NULL) return false;
    return hit_region_covers(&storage->constants[piece], box, &yes) == HIT_OK && yes;
}

hit_status hit_storage_note_constant(hit_storage *storage, int piece,
                                     const hit_domain *box)
{
    hit_region *known;

    if (storage->constants == NULL) {
        HIT_TRY(hit_memory_zeroed((size_t)storage->pieces, sizeof(hit_region),
                                  &storage->constants));
    }
    known = &storage->constants[piece];
    if (known->count >= CONSTANTS) hit_region_clear(known);
    return hit_region_add(known, box);
}

void hit_storage_drop_constants(hit_storage *storage)
{
    for (int k = 0; k < storage->pieces && storage->constants != NULL; k++) {
        hit_region_clear(&storage->constants[k]);
    }
    free(storage->constants);
    storage->constants = NULL;
    for (int k = 0; storage->peers != NULL && k < storage->peers->count; k++) {
        if (storage->peer[k] != NULL) hit_storage_drop_constants(storage->peer[k]);
    }
}

/* Devices need not be waited for: each works in the order in which it was asked. */
hit_status hit_storage_image(hit_storage *storage, const hit_image_pair *pair,
                             hit_region *left)
{
    hit_stations *stations = storage->context->stations;

    if (!has_homes(storage)) return HIT_OK;
    for (int k = 0; k < left->count; k++) {
        const hit_domain source = hit_remap_apply(&pair->remap, &left->part[k]);

        HIT_TRY(wait_for_logged(storage, pair->from, &source, HIT_READ, true));
        HIT_TRY(wait_for_logged(storage, pair->to, &left->part[k], HIT_WRITE, true));
        for (int d = 0; d < stations->count; d++) {
            HIT_TRY(hit_residents_forget(&storage->home[d], pair->to, &left->part[k]));
        }
    }
    for (int d = 0; d < stations->count && left->count > 0; d++) {
        HIT_TRY(hit_residents_image(&stations->station[d].residents, &storage->home[d],
                                    pair, left));
    }
    return HIT_OK;
}

hit_status hit_storage_touch_others(hit_storage *storage, int device, int piece,
                                    const hit_domain *box, bool loads, bool writes)
{
    hit_stations *stations = storage->context->stations;
    uint64_t event[HIT_MAX_SOURCES];

    if (hit_fence_find(storage->fence, piece, box, writes, event)) {
        HIT_TRY(hit_stations_wait(stations, event));
    }
    for (int d = 0; d < storage->context->devices; d++) {
        if (d == device) continue;
        HIT_TRY(wait_for_holder(storage, d));
        if (loads) HIT_TRY(touch_on(storage, d, piece, box, HIT_READ));
        if (writes) HIT_TRY(touch_on(storage, d, piece, box, HIT_WRITE));
    }
    return HIT_OK;
}
