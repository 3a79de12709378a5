/* SPDX-License-Identifier: MIT
 * Where the host's memory meets the device's: whoever reads or writes elements on the
 * host says so here first. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"

#include <stdio.h>
#include <string.h>

hit_status hit_settle(hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    const hit_device *device = context->device;
    hit_status status;
    double start_s;

    if (launcher == NULL || !launcher->in_flight) return HIT_OK;
    launcher->in_flight = false;
    start_s = hit_comm_time(context->comm);
    status = device->ops->wait(device->state);
    launcher->busy_s += hit_comm_time(context->comm) - start_s;
    return status;
}

hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent)
{
    if (storage->home.first == NULL) return HIT_OK;
    HIT_TRY(hit_settle(storage->context));
    if (intent != HIT_WRITE) {
        HIT_TRY(hit_residents_sync(&storage->context->launcher->residents, &storage->home,
                                   piece, box));
    }
    if (intent == HIT_READ) return HIT_OK;
    return hit_residents_forget(&storage->home, piece, box);
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
