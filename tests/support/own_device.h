/* SPDX-License-Identifier: MIT
 * A kind of device of a program's own: own_device.c is all there is of it. */
#ifndef TESTS_SUPPORT_OWN_DEVICE_H
#define TESTS_SUPPORT_OWN_DEVICE_H

#include "hit/device/device.h"

/** "own", or "own:name=TEXT"; runs the host's kernels on the calling thread, in place. */
extern const hit_device_ops own_device;

/** How many kernels an open device of this kind has run. */
int own_device_runs(const hit_device *device);

#endif
