/* SPDX-License-Identifier: MIT
 * The threads of a process that has several devices: each device is worked with by a
 * thread of its own, which is kept; the first device by the caller. */
#ifndef HIT_DEVICE_CREW_H
#define HIT_DEVICE_CREW_H

#include "hit/device/device.h"

typedef struct hit_crew hit_crew;

/** What is to be done with device number @p device. */
typedef hit_status hit_crew_function(void *argument, int device);

/** Start a thread for each of @p count >= 2 devices but the first. Where a device has
 * named cores, its thread is bound to the first of them.
 * @errors HIT_E_NOMEM; HIT_E_DEVICE a thread cannot be started */
hit_status hit_crew_create(int count, hit_device *const device[], hit_crew **crew);
/** Accepts NULL in *crew; sets it to NULL. */
void hit_crew_destroy(hit_crew **crew);
/** Call @p function for all devices at once, and return when all are done. If some fail:
 * the failure of the one with the lowest number, with its text. */
hit_status hit_crew_run(hit_crew *crew, hit_crew_function *function, void *argument);
/** Call @p function once for each device but the first, and return at once:
 * hit_crew_stop() waits. What is asked for next stops first. */
void hit_crew_start(hit_crew *crew, hit_work *function, void *of);
void hit_crew_stop(hit_crew *crew);

#endif
