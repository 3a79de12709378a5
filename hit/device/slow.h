/* SPDX-License-Identifier: MIT
 * A device that wraps another one and makes its kernels take longer, to try what a slow
 * device does. */
#ifndef HIT_DEVICE_SLOW_H
#define HIT_DEVICE_SLOW_H

#include "hit/data/domain.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hit_device;

/** How much longer; "host:slow=4@100:cliff=4000000*8". All 0: the device is not wrapped.
 */
typedef struct hit_slow_spec {
    int factor; /**< kernels take so many times as long ... */
    int from;   /**< ... from this run of a kernel on, counted from 0 */
    int cliff;  /**< and so many times again on tiles of more than cliff_from elements, as
                     on a device that begins to page */
    hit_index cliff_from;
} hit_slow_spec;

/** Wrap an open device as its spec says. Only for a device whose kernels have run when
 * run() returns. @errors HIT_E_NOMEM; then the device is as it was */
hit_status hit_slow_wrap(struct hit_device *device);

#ifdef __cplusplus
}
#endif

#endif
