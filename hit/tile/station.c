/* SPDX-License-Identifier: MIT
 * The devices of a context as launches use them. */
#include "hit/tile/station.h"

#include "hit/base/clock.h"
#include "hit/base/memory.h"

#include <stdlib.h>

hit_status hit_stations_create(hit_context *context, hit_stations **stations)
{
    const size_t devices = (size_t)context->devices;
    hit_stations *made = NULL;

    HIT_TRY(
        hit_memory_zeroed(1, sizeof(*made) + devices * sizeof(*made->station), &made));
    made->station = (hit_station *)(made + 1);
    made->count = context->devices;
    made->clock = &context->clock;
    made->crew = context->crew;
    for (int d = 0; d < made->count; d++) {
        hit_device *device = context->device[d];

        made->station[d].device = device;
        made->station[d].in_place = hit_device_in_place(device);
        made->station[d].residents.device = device;
    }
    made->in_place = hit_devices_in_place(context->devices, context->device);
    made->grown = 1;
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
    for (int d = 0; d < stations->count; d++) {
        for (int u = 0; u < HIT_MAX_ARGS; u++) {
            hit_fence_destroy(&stations->station[d].log[u]);
        }
    }
    hit_tasks_destroy(&stations->tasks);
    if (stations->recorded.block != NULL) {
        stations->recorded.destroy(stations->recorded.block);
    }
    free(stations);
    *stations_pointer = NULL;
}

bool hit_stations_help(void *of)
{
    hit_stations *stations = of;
    double start_s;
    bool some;

    if (!hit_tasks_any(stations->tasks)) return false;
    start_s = hit_clock_now(stations->clock);
    some = hit_tasks_help(stations->tasks);
    stations->busy_s += hit_clock_now(stations->clock) - start_s;
    return some;
}

hit_status hit_stations_end_tasks(hit_stations *stations)
{
    const hit_keeper *keeper = &stations->keeper;

    HIT_TRY(hit_tasks_wait_all(stations->tasks));
    return keeper->self != NULL ? keeper->leave(keeper->self) : HIT_OK;
}

hit_status hit_stations_run_block(hit_stations *stations)
{
    const hit_recorded *recorded = &stations->recorded;

    stations->over[hit_source_of_recorded(stations)] = recorded->asked;
    return recorded->run(recorded->block);
}

/* The time is that of launches: they returned before they were done. */
hit_status hit_stations_finish_deferred(hit_stations *stations)
{
    hit_first first;
    double start_s;

    hit_first_begin(&first);
    hit_first_keep(&first, hit_stations_run_recorded(stations));
    if (!hit_tasks_any(stations->tasks)) return hit_first_tell(&first);
    start_s = hit_clock_now(stations->clock);
    hit_first_keep(&first, hit_tasks_wait_all(stations->tasks));
    stations->busy_s += hit_clock_now(stations->clock) - start_s;
    return hit_first_tell(&first);
}

size_t hit_stations_least_memory(const hit_stations *stations)
{
    size_t least = SIZE_MAX;

    for (int d = 0; d < stations->count; d++) {
        const hit_device *device = stations->station[d].device;

        if (device->spec.spare || device->limit_bytes >= least) continue;
        least = device->limit_bytes;
    }
    return least;
}

hit_status hit_station_wait(hit_stations *stations, int device)
{
    hit_station *station = &stations->station[device];

    station->in_flight = false;
    station->arena_in_use = false;
    for (int lane = 0; lane < HIT_LANES; lane++) {
        const int source = hit_source_of_lane(device, (hit_lane)lane);

        stations->over[source] = stations->logged[source];
    }
    return hit_device_wait(station->device);
}

static hit_status wait_for_device(hit_stations *stations, int device)
{
    const double start_s = hit_clock_now(stations->clock);
    const hit_status status = hit_station_wait(stations, device);

    stations->busy_s += hit_clock_now(stations->clock) - start_s;
    return status;
}

hit_status hit_stations_wait(hit_stations *stations, const uint64_t event[])
{
    const int lanes = hit_source_of_tasks(stations);
    const int recorded = hit_source_of_recorded(stations);
    hit_first first;

    hit_first_begin(&first);
    if (event[recorded] > stations->over[recorded]) {
        hit_first_keep(&first, hit_stations_run_recorded(stations));
    }
    for (int source = 0; source < lanes; source++) {
        if (event[source] <= stations->over[source]) continue;
        hit_first_keep(&first, wait_for_device(stations, source / HIT_LANES));
    }
    return hit_first_tell(&first);
}

hit_status hit_stations_settle(hit_stations *stations)
{
    hit_first first;

    hit_first_begin(&first);
    for (int d = 0; d < stations->count; d++) {
        if (!stations->station[d].in_flight) continue;
        hit_first_keep(&first, wait_for_device(stations, d));
    }
    return hit_first_tell(&first);
}
