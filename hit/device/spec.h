/* SPDX-License-Identifier: MIT
 * Device specs as text. */
#ifndef HIT_DEVICE_SPEC_H
#define HIT_DEVICE_SPEC_H

#include "hit/device/device_ops.h"

HIT_C_BEGIN

/** Parse a list such as HIT_DEVICES: what processes take in turn is separated by ";", the
 * devices of one process by "+". @p more has the kinds beside those of the library, and
 * ends with NULL; NULL: there are none.
 * @errors HIT_E_ARG says which device and what was expected; more than @p capacity */
hit_status hit_device_parse(const char *text, const struct hit_device_ops *const more[],
                            int capacity, hit_device_spec spec[], int *count);
/** Limit the memory of the device, as "memory=" does. */
void hit_device_limit_memory(hit_device_spec *spec, size_t size_bytes);
/** Write a spec in the form that hit_device_parse() reads. */
void hit_device_print(const hit_device_spec *spec, char *text, size_t size);

HIT_C_END

#endif
