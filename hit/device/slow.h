/* SPDX-License-Identifier: MIT
 * A device that wraps another one and makes its kernels take longer, to try what a slow
 * device does. */
#ifndef HIT_DEVICE_SLOW_H
#define HIT_DEVICE_SLOW_H

#include "hit/device/device_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hit_device;

/** Wrap an open device as its spec says. Only for a device whose kernels have run when
 * run() returns. @errors HIT_E_NOMEM; then the device is as it was */
hit_status hit_slow_wrap(struct hit_device *device);

#ifdef __cplusplus
}
#endif

#endif
