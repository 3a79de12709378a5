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

/* energy.c: what meters show while something is recorded. */

/** From one reading of the meters of this process to another one, between which each of
 * them went on. */
typedef struct hit_energy_window {
    double start_s; /**< hit_trace_now() */
    double end_s;
    double joules;
    double busy_s; /**< of kernels, side by side ones added up */
} hit_energy_window;

typedef struct hit_energy {
    struct hit_meters *meters; /**< NULL on a simulated machine: the power of its devices
                                  is known instead */
    size_t count;
    size_t room;
    hit_energy_window *window; /**< one behind the other */
    double looked_s;           /**< the end of the last window */
    double joules;             /**< since then */
} hit_energy;

/** Does this process read meters, or play them? */
static inline bool hit_energy_is_known(const hit_trace *trace)
{
    return trace != NULL && trace->energy != NULL &&
           (trace->look != NULL || trace->energy->meters == NULL);
}

/** Read meters from now on, where there are some and something is recorded. With
 * HIT_PROFILE a note says which may not be read. @collective yes @errors HIT_E_NOMEM */
hit_status hit_energy_begin(hit_context *context);
/** Read them once more, and set hit_trace_event.joules of launches, or of runs of kernels
 * whose launches return before these are done. @errors HIT_E_NOMEM */
hit_status hit_energy_end(hit_trace *trace);
/** That alone. */
hit_status hit_energy_share(hit_trace *trace);
/** Accepts NULL. */
void hit_energy_close(hit_trace *trace);

/** A kernel of the table. */
typedef struct hit_energy_line {
    const char *kernel;
    uint64_t launches;
} hit_energy_line;

/** The table of energy, printed by process 0; nothing where no process has a meter.
 * @collective yes, with the same lines */
hit_status hit_energy_print(hit_comm *comm, const hit_trace *trace, FILE *out,
                            size_t count, const hit_energy_line line[]);

/* profile.c: profiles. */

/** The table, printed by process 0. @collective yes */
hit_status hit_profile_print(hit_comm *comm, const hit_trace *trace, FILE *out);

#endif
