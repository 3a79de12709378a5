/* SPDX-License-Identifier: MIT
 * Internal to the host device: kernels side by side. */
#ifndef HIT_DEVICE_HOST_MANY_H
#define HIT_DEVICE_HOST_MANY_H

#include "hit/device/device_ops.h"

/** The operation run_many. */
hit_status hit_host_run_many(void *state, int count, const hit_job job[]);

#endif
