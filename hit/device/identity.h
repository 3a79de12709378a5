/* SPDX-License-Identifier: MIT
 * Internal: devices as keys of models. */
#ifndef HIT_DEVICE_IDENTITY_H
#define HIT_DEVICE_IDENTITY_H

#include "hit/device/device.h"

/** What was asked for, and what is there: "host:slow=2, 1 core, 1 thread". The same text
 * whenever the devices of a process are the same. */
void hit_device_identity(int count, hit_device *const device[], char *text, size_t size);
/** The same of its copies: "host:staged, 2 cores", whatever its memory and threads. */
void hit_device_link_identity(const hit_device *device, char *text, size_t size);
/** The name of the host's processor, "AMD EPYC 7763", which the system is asked for. */
void hit_device_processor(char *text, size_t size);

#endif
