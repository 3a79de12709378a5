/* SPDX-License-Identifier: MIT
 * Internal: memory of devices for data. */
#ifndef HIT_SCHEDULED_REAL_MEMORY_H
#define HIT_SCHEDULED_REAL_MEMORY_H

#include "hit/scheduled/real_impl.h"

/** Members of the driver's table. */
hit_status hit_real_take(hit_scheduled *s, int datum, int node, void **memory);
void hit_real_release(hit_scheduled *s, int datum, int node, void *memory);
void hit_real_free_memory(hit_scheduled *s);

#endif
