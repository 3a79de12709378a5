/* SPDX-License-Identifier: MIT
 * Machines in files. */
#ifndef HIT_SCHED_MACHINE_FILE_H
#define HIT_SCHED_MACHINE_FILE_H

#include "hit/sched/machine.h"

HIT_C_BEGIN

/** Read the machine file @p path.
 * @owner *machine is the caller's: hit_machine_clear()
 * @errors HIT_E_ARG it is not a machine file, says where; HIT_E_IO; HIT_E_NOMEM */
HIT_API hit_status hit_machine_read(const char *path, hit_machine *machine);

/** Read the machine @p name: a path if it has a '/' or a '.', otherwise NAME.machine in
 * the folder $HIT_MACHINES or in share/hit/machines beside the program or the library.
 * @errors as hit_machine_read() */
HIT_API hit_status hit_machine_find(const char *name, hit_machine *machine);

HIT_C_END

#endif
