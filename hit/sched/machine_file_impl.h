/* SPDX-License-Identifier: MIT
 * Internal: lines of machines in files. */
#ifndef HIT_SCHED_MACHINE_FILE_IMPL_H
#define HIT_SCHED_MACHINE_FILE_IMPL_H

#include "hit/sched/machine.h"

/** @errors HIT_E_NOMEM */
hit_status hit_machine_add_kind(hit_machine *machine, const hit_machine_kind *kind);
/** Read a number that has a '.' whatever the locale of the program says. */
bool hit_machine_number(const char *text, double *number);

#endif
