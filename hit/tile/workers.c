/* SPDX-License-Identifier: MIT
 * The threads of one device, or all devices of a process. */
#include "hit/tile/station.h"

int hit_workers_count(const hit_workers *workers)
{
    return workers->devices > 1 ? workers->devices : workers->device[0]->threads;
}

bool hit_workers_can(const hit_workers *workers)
{
    for (int d = 0; d < workers->devices; d++) {
        const hit_processor_ops *processor = workers->device[d]->processor;

        if (!hit_device_in_place(workers->device[d])) return false;
        if (processor == NULL || processor->async) return false;
        if (workers->devices == 1 && processor->run_alone == NULL) return false;
    }
    return true;
}

void hit_workers_start(const hit_workers *workers, hit_work *work, void *of)
{
    const hit_device *device = workers->device[0];

    if (workers->devices > 1) {
        hit_crew_start(workers->crew, work, of);
    } else {
        device->processor->start(device->state, work, of);
    }
}

void hit_workers_stop(const hit_workers *workers)
{
    const hit_device *device = workers->device[0];

    if (workers->devices > 1) {
        hit_crew_stop(workers->crew);
    } else {
        device->processor->stop(device->state);
    }
}

hit_status hit_workers_run(const hit_workers *workers, int worker,
                           const hit_kernel *kernel, const hit_run *run)
{
    const hit_device *device = workers->device[0];

    if (workers->devices > 1) {
        return hit_device_run(workers->device[worker], kernel, run, NULL);
    }
    return device->processor->run_alone(device->state, kernel, run);
}
