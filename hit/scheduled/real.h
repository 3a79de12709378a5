/* SPDX-License-Identifier: MIT
 * Internal: launches on the devices of the process, of which some have a memory of their
 * own. */
#ifndef HIT_SCHEDULED_REAL_H
#define HIT_SCHEDULED_REAL_H

#include "hit/scheduled/schedule_impl.h"

/** Has the process a device with a memory of its own? */
bool hit_scheduled_can_real(const hit_context *context);
/** Let @p scheduler place the launches of @p context, which were carried out as without
 * one so far. @errors HIT_E_ARG they cannot be: see hit_schedule() */
hit_status hit_scheduled_open_real(hit_context *context, const char *scheduler);

#endif
