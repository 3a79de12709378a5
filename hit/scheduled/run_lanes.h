/* SPDX-License-Identifier: MIT
 * Internal: kernels in the background, on devices that run them while the caller waits: a
 * thread for each of these. One thread asks. */
#ifndef HIT_SCHEDULED_RUN_LANES_H
#define HIT_SCHEDULED_RUN_LANES_H

#include "hit/base/clock.h"
#include "hit/device/device.h"

typedef struct hit_run_lanes hit_run_lanes;

/** A kernel that has run. */
typedef struct hit_ran {
    hit_status status;
    const char *text; /**< of a failure; until the device's next kernel */
    double seconds;
} hit_ran;

/** A device that runs kernels in the background itself gets no thread. Threads are bound
 * to the first of the cores that their devices name.
 * @errors HIT_E_NOMEM; HIT_E_DEVICE a thread cannot be started */
hit_status hit_run_lanes_create(int devices, hit_device *const device[],
                                const hit_clock *clock, hit_run_lanes **lanes);
/** Waits for what is under way. Accepts NULL in *lanes; sets it to NULL. */
void hit_run_lanes_destroy(hit_run_lanes **lanes);
/** Where to describe the next run of device number @p device, which runs nothing. */
hit_run *hit_run_lanes_next(hit_run_lanes *lanes, int device);
/** Run @p kernel as described. @p kernel lives until it has run. */
void hit_run_lanes_start(hit_run_lanes *lanes, int device, const hit_kernel *kernel);
/** True, once, when the kernel that was started on the device has run; sets *ran. */
bool hit_run_lanes_end(hit_run_lanes *lanes, int device, hit_ran *ran);
/** Wait until a kernel has run whose end was not told, at most @p most_s; < 0: for ever.
 */
void hit_run_lanes_wait(hit_run_lanes *lanes, double most_s);

#endif
