/* SPDX-License-Identifier: MIT
 * The kinds of devices that come with the library: one line each. hit_device_cuda is in
 * hit/cuda/cuda.c, or in hit/cuda/cuda_absent.c where CUDA is off. */
#include "hit/device/device.h"

#define EACH_KIND(DO)                                                                    \
    DO(hit_device_host)                                                                  \
    DO(hit_device_cuda)

#define DECLARE(ops) extern const hit_device_ops ops;
#define ADDRESS(ops) &(ops),

EACH_KIND(DECLARE)

const hit_device_ops *hit_device_kind(int k, const hit_device_ops *const more[])
{
    static const hit_device_ops *const table[] = {EACH_KIND(ADDRESS)};
    const int listed = sizeof(table) / sizeof(table[0]);

    if (k < listed) return table[k];
    return more == NULL ? NULL : more[k - listed];
}
