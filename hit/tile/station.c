/* SPDX-License-Identifier: MIT
 * The devices of a context as launches use them. */
#include "hit/tile/station.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

hit_status hit_stations_create(hit_context *context, hit_stations **stations)
{
    hit_stations *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status =
        hit_memory_zeroed((size_t)context->devices, sizeof(hit_station), &made->station);
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    made->count = context->devices;
    for (int d = 0; d < made->count; d++) {
        hit_device *device = context->device[d];

        made->station[d].device = device;
        made->station[d].in_place = hit_device_in_place(device);
        made->station[d].residents.device = device;
    }
    *stations = made;
    return HIT_OK;
}

void hit_stations_destroy(hit_stations **stations_pointer)
{
    hit_stations *stations = *stations_pointer;

    if (stations == NULL) return;
    for (int d = 0; d < stations->count; d++) {
        const hit_residents *all = &stations->station[d].residents;

        while (all->first != NULL) { /* of tiles that outlive the context */
            hit_residents_drop(all->first->home);
        }
    }
    if (stations->deferred.queue != NULL) {
        stations->deferred.destroy(stations->deferred.queue);
    }
    free(stations->station);
    free(stations);
    *stations_pointer = NULL;
}

void hit_stations_keep_failure(hit_stations *stations, hit_status status)
{
    if (status == HIT_OK || stations->failed != HIT_OK) return;
    stations->failed = status;
    (void)snprintf(stations->failed_text, sizeof(stations->failed_text), "%s",
                   hit_status_text());
}

hit_status hit_stations_tell_failure(hit_stations *stations)
{
    const hit_status failed = stations->failed;

    stations->failed = HIT_OK;
    return failed == HIT_OK ? HIT_OK : HIT_FAIL(failed, "%s", stations->failed_text);
}

hit_status hit_stations_run_deferred(hit_stations *stations)
{
    hit_deferred *deferred = &stations->deferred;

    return deferred->queue == NULL ? HIT_OK : deferred->run(deferred->queue);
}

hit_status hit_station_wait(hit_station *station)
{
    station->in_flight = false;
    station->streams = false;
    station->tail.arrivals.added = 0;
    return hit_device_wait(station->device);
}
