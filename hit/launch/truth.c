/* SPDX-License-Identifier: MIT
 * Where the host's memory meets the device's, and launches that have not run yet: whoever
 * reads or writes elements on the host says so here first. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/launch/queue.h"
#include "hit/launch/use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_station_wait(hit_station *station)
{
    station->in_flight = false;
    station->streams = false;
    station->tail.arrivals.added = 0;
    return station->device->ops->wait(station->device->state);
}

/* Wait for what launches left to device @p d. */
static hit_status settle_on(hit_context *context, int d)
{
    hit_station *station = &context->launcher->station[d];
    hit_status status;
    double start_s;

    if (!station->in_flight) return HIT_OK;
    start_s = hit_clock_now(&context->clock);
    status = hit_station_wait(station);
    context->launcher->busy_s += hit_clock_now(&context->clock) - start_s;
    return status;
}

static hit_status settle_devices(hit_context *context)
{
    const hit_launcher *launcher = context->launcher;
    hit_status first = HIT_OK;

    for (int d = 0; launcher != NULL && d < launcher->stations; d++) {
        const hit_status status = settle_on(context, d);

        if (first == HIT_OK) first = status;
    }
    return first;
}

hit_status hit_settle(hit_context *context)
{
    hit_launcher *launcher = context->launcher;

    if (launcher == NULL) return HIT_OK;
    hit_launcher_keep_failure(launcher, hit_queue_run(launcher));
    hit_launcher_keep_failure(launcher, settle_devices(context));
    return hit_launcher_tell_failure(launcher);
}

hit_status hit_storage_settle(hit_storage *storage)
{
    if (storage->context->launcher != NULL) {
        hit_queue_run_of(storage->context->launcher, storage);
    }
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
    hit_launcher *launcher = storage->context->launcher;

    if (launcher != NULL) {
        hit_queue_run_of(launcher, storage);
        hit_launcher_keep_failure(launcher, settle_devices(storage->context));
    }
    for (int d = 0; d < storage->context->devices && storage->home != NULL; d++) {
        hit_residents_drop(&storage->home[d]);
    }
    free(storage->home);
    storage->home = NULL;
}

static bool streams(const hit_storage *storage, int d)
{
    const hit_launcher *launcher = storage->context->launcher;

    return launcher != NULL && launcher->station[d].streams;
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
        HIT_TRY(hit_residents_sync(&storage->context->launcher->station[d].residents,
                                   home, piece, box));
    }
    if (intent == HIT_READ) return HIT_OK;
    return hit_residents_forget(home, piece, box);
}

hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent)
{
    if (storage->context->launcher == NULL) return HIT_OK; /* nothing was launched */
    HIT_TRY(hit_queue_run(storage->context->launcher));
    HIT_TRY(hit_launcher_tell_failure(storage->context->launcher));
    for (int d = 0; d < storage->context->devices; d++) {
        HIT_TRY(touch_on(storage, d, piece, box, intent));
    }
    return HIT_OK;
}

/* Let @p claim hold on all devices but its own. */
static hit_status settle_claim(hit_storage *storage, int device, int piece,
                               const hit_claim *claim, hit_mode mode)
{
    for (int d = 0; d < storage->context->devices; d++) {
        if (d == device) continue;
        if (claim->loads) HIT_TRY(touch_on(storage, d, piece, &claim->need, HIT_READ));
        if (mode == HIT_MODE_IN) continue;
        HIT_TRY(touch_on(storage, d, piece, &claim->need, HIT_WRITE));
    }
    return HIT_OK;
}

hit_status hit_part_settle(const hit_call *call, const hit_launch_plan *plan,
                           const hit_part *part)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->piece[part->piece] < 0) continue; /* temporary: nothing stays of it */
        HIT_TRY(settle_claim(call->args[use->arg].tile->storage, part->device,
                             hit_use_storage_piece(use, call, part->piece),
                             &part->claim[u], use->mode));
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

void hit_residents_print(const hit_residents *all, char *text, size_t size)
{
    snprintf(text, size, "%s", all->first == NULL ? "no tiles" : "");
    for (const hit_resident *r = all->first; r != NULL; r = r->next) {
        const hit_storage *storage = r->home->storage;
        const size_t used = strlen(text);
        char bytes[32];

        hit_memory_print(r->size_bytes, bytes, sizeof(bytes));
        snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "",
                 storage != NULL ? storage->name : "temporary", bytes);
    }
}
