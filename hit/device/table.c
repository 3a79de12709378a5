/* SPDX-License-Identifier: MIT
 * The kinds of devices that come with the library. hit_device_cuda is in cuda.c, or in
 * cuda_absent.c where CUDA is off: the table is the same. */
#include "hit/device/device.h"

const hit_device_ops *const hit_device_table[] = {&hit_device_host, &hit_device_cuda};
const int hit_device_table_count = sizeof(hit_device_table) / sizeof(hit_device_table[0]);
