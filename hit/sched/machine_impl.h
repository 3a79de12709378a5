/* SPDX-License-Identifier: MIT
 * Internal: what machine.c and the reader of its files share. */
#ifndef HIT_SCHED_MACHINE_IMPL_H
#define HIT_SCHED_MACHINE_IMPL_H

#include "hit/sched/machine.h"

/** The kernel whose name the first @p length bytes of @p name are; NULL: there is none.
 */
hit_machine_kernel *hit_machine_kernel_find(const hit_machine *machine, const char *name,
                                            size_t length);
/** @errors HIT_E_NOMEM */
hit_status hit_machine_add_kind(hit_machine *machine, const hit_machine_kind *kind);
/** Read a number that has a '.' whatever the locale of the program says. */
bool hit_machine_number(const char *text, double *number);

#endif
