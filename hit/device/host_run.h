/* SPDX-License-Identifier: MIT
 * Internal to the host device: kernels on threads. */
#ifndef HIT_DEVICE_HOST_RUN_H
#define HIT_DEVICE_HOST_RUN_H

#include "hit/device/device_ops.h"

struct hit_host; /* hit/device/host_impl.h */
struct hit_host_lane;

/** The operation run of the host device. */
hit_status hit_host_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[]);
/** The operation run_alone. */
hit_status hit_host_run_alone(void *state, const hit_kernel *kernel, const hit_run *run);

/** A thread is done: keep the text of its failure, which belongs to the thread. */
void hit_host_keep(struct hit_host_lane *mine, hit_status status);
/** When all are: the failure of the first one, with its text. */
hit_status hit_host_tell(const struct hit_host *self);

#endif
