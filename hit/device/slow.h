/* SPDX-License-Identifier: MIT
 * Emulated slowness: the kernels of a device take longer, to try what a slow device does.
 */
#ifndef HIT_DEVICE_SLOW_H
#define HIT_DEVICE_SLOW_H

#include "hit/device/device_ops.h"

HIT_C_BEGIN

struct hit_device;

/** What a slow device has beside its own state. */
typedef struct hit_slow {
    hit_processor_ops processor; /**< that of its kind, but each run takes its own time */
    int runs;
} hit_slow;

/** Let an open device be as slow as its spec says. Only for a device whose kernels have
 * run when run() returns. @owner device->slow: free() @errors HIT_E_NOMEM; then the
 * device is as it was */
hit_status hit_slow_wrap(struct hit_device *device);
/** Run a kernel on a slow device. @errors those of its run() */
hit_status hit_slow_run(const struct hit_device *device, const hit_kernel *kernel,
                        const hit_run *run, const hit_domain need[]);

HIT_C_END

#endif
