/* SPDX-License-Identifier: MIT
 * Internal: profiles. */
#ifndef HIT_TRACE_PROFILE_H
#define HIT_TRACE_PROFILE_H

#include "hit/base/trace.h"
#include "hit/comm/comm.h"

#include <stdio.h>

/** The table, printed by process 0. @collective yes */
hit_status hit_profile_print(hit_comm *comm, const hit_trace *trace, FILE *out);

#endif
