/* SPDX-License-Identifier: MIT
 * Internal: the schedulers of a program. */
#ifndef HIT_SCHED_REGISTRY_IMPL_H
#define HIT_SCHED_REGISTRY_IMPL_H

#include "hit/base/context.h"

/** Forget the schedulers of the program. Accepts NULL in *registry; sets it to NULL. */
void hit_scheduler_registry_destroy(struct hit_scheduler_registry **registry);

#endif
