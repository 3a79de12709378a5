/* SPDX-License-Identifier: MIT
 * Internal: launches on a simulated machine, in virtual time. */
#ifndef HIT_SCHEDULED_VIRTUAL_H
#define HIT_SCHEDULED_VIRTUAL_H

#include "hit/scheduled/schedule_impl.h"

/** Let the launches of @p context run on the machine that @p text, what is behind
 * "simulated:", describes; hit_schedule() follows. @param carries false: nothing is
 * carried out
 * @errors HIT_E_ARG, HIT_E_IO of the machine file or its options; more than one process
 */
hit_status hit_scheduled_open_virtual(hit_context *context, const char *text,
                                      bool carries);

#endif
