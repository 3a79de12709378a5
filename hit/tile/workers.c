/* SPDX-License-Identifier: MIT
 * The threads of one device, or all devices of a process. */
#include "hit/tile/station.h"

int hit_workers_count(const hit_stations *stations)
{
    return stations->count > 1 ? stations->count : stations->station[0].device->threads;
}

bool hit_workers_can(const hit_stations *stations)
{
    for (int d = 0; d < stations->count; d++) {
        const hit_processor_ops *processor = stations->station[d].device->processor;

        if (!hit_device_in_place(stations->station[d].device)) return false;
        if (processor == NULL || processor->async) return false;
        if (stations->count == 1 && processor->run_alone == NULL) return false;
    }
    return true;
}

void hit_workers_start(const hit_stations *stations, hit_work *work, void *of)
{
    const hit_device *device = stations->station[0].device;

    if (stations->count > 1) {
        hit_crew_start(stations->crew, work, of);
    } else {
        device->processor->start(device->state, work, of);
    }
}

void hit_workers_stop(const hit_stations *stations)
{
    const hit_device *device = stations->station[0].device;

    if (stations->count > 1) {
        hit_crew_stop(stations->crew);
    } else {
        device->processor->stop(device->state);
    }
}

hit_status hit_workers_run(const hit_stations *stations, int worker,
                           const hit_kernel *kernel, const hit_run *run)
{
    const hit_device *device = stations->station[0].device;

    if (stations->count > 1) {
        return hit_device_run(stations->station[worker].device, kernel, run, NULL);
    }
    return device->processor->run_alone(device->state, kernel, run);
}
