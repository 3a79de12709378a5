/* SPDX-License-Identifier: MIT
 * Internal: who carries tasks out (hit/tile/tasks.h): the threads of the device of the
 * process, each a task of its own, or, where it has several, its devices, each with all
 * its threads. Worker 0 is the caller. */
#ifndef HIT_TILE_WORKERS_H
#define HIT_TILE_WORKERS_H

#include "hit/device/crew.h"
#include "hit/device/device.h"

/** Who carries tasks out; borrowed. */
typedef struct hit_workers {
    int devices;
    hit_device *device[HIT_MAX_DEVICES];
    hit_crew *crew; /**< NULL: there is one device */
} hit_workers;

/** How many tasks can they carry out at the same time? */
int hit_workers_count(const hit_workers *workers);
/** Can they carry out tasks, and more than one at a time? */
bool hit_workers_can(const hit_workers *workers);
/** Call @p work once on each worker but the caller, and return at once; stop waits until
 * all have returned. */
void hit_workers_start(const hit_workers *workers, hit_work *work, void *of);
void hit_workers_stop(const hit_workers *workers);
/** Run a task on the calling worker. */
hit_status hit_workers_run(const hit_workers *workers, int worker,
                           const hit_kernel *kernel, const hit_run *run);

#endif
