/* SPDX-License-Identifier: MIT
 * Internal: the kinds of devices that come with the library. */
#ifndef HIT_DEVICE_TABLE_H
#define HIT_DEVICE_TABLE_H

#include "hit/device/device_ops.h"

/** Kind number @p k: those that come with the library, then those of @p more, which ends
 * with NULL; NULL: there are no more. */
const hit_device_ops *hit_device_kind(int k, const hit_device_ops *const more[]);
/** For `hit info`, which names the CUDA runtime; cuda.c, or cuda_absent.c. */
extern const hit_device_ops hit_device_cuda;

#endif
