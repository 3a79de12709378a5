/* SPDX-License-Identifier: MIT
 * Internal: what machine.c and the reader of its files share. */
#ifndef HIT_SCHED_MACHINE_IMPL_H
#define HIT_SCHED_MACHINE_IMPL_H

#include "hit/sched/machine.h"

/** NULL: there is none. */
const hit_machine_kernel *hit_machine_kernel_find(const hit_machine *machine,
                                                  const char *name);

#endif
