/* SPDX-License-Identifier: MIT
 * Devices with memories of their own whose copies fail as tests/support/faults.h says: at
 * once (FAULT_COPY), or later, as those that are only asked for do (FAULT_LATE_COPY). Of
 * the latter other elements arrive. The call that sees the end of the copy tells the
 * failure. */
#ifndef TESTS_SUPPORT_FAULTY_DEVICES_H
#define TESTS_SUPPORT_FAULTY_DEVICES_H

#include "hit/base/context.h"

#include <stddef.h>

/** Let the devices of a context that was just opened, one at a time, be so. @param
 * cap_bytes they have no more in one piece; 0: what they have */
void faulty_devices_set(const hit_context *hit, size_t cap_bytes);

#endif
