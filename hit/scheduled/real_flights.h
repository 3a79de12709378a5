/* SPDX-License-Identifier: MIT
 * Internal: copies and kernels on the devices of the process. */
#ifndef HIT_SCHEDULED_REAL_FLIGHTS_H
#define HIT_SCHEDULED_REAL_FLIGHTS_H

#include "hit/scheduled/real_impl.h"

/** Let them go on until at most @p left tasks are not over; 0: until nothing goes on. It
 * looks at all of them once at least.
 * @errors of the engine; HIT_E_INTERNAL the scheduler keeps tasks */
hit_status hit_real_go(hit_scheduled *s, int left);
/** Wait for what goes on, and forget it. A member of the driver's table. */
void hit_real_give_up(hit_scheduled *s);

#endif
