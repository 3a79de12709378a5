/* SPDX-License-Identifier: MIT
 * Internal to the library: traces and profiles that the environment asks for.
 * HIT_TRACE=FILE: all events of all processes, in Chrome's trace format (opens in
 * Perfetto). HIT_PROFILE=1: a table at the end. */
#ifndef HIT_TRACE_TRACE_WRITE_H
#define HIT_TRACE_TRACE_WRITE_H

#include "hit/base/trace.h"
#include "hit/comm/comm.h"

#include <stdio.h>

/** Make context->trace if the environment of process 0 asks for it. Clocks are aligned
 * here. @collective yes */
hit_status hit_trace_open(hit_context *context);
/** Write what was asked for, if anything was launched, and free context->trace. A file
 * that cannot be written is told in a note. @collective yes */
void hit_trace_close(hit_context *context);

/* profile.c: profiles. */

/** The table, printed by process 0. @collective yes */
hit_status hit_profile_print(hit_comm *comm, const hit_trace *trace, FILE *out);

#endif
