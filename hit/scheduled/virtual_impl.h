/* SPDX-License-Identifier: MIT
 * Internal: what the driver in virtual time keeps, and its blocks of launches. */
#ifndef HIT_SCHEDULED_VIRTUAL_IMPL_H
#define HIT_SCHEDULED_VIRTUAL_IMPL_H

#include "hit/scheduled/schedule_impl.h"

struct hit_trace;

typedef struct hit_virtual_chains hit_virtual_chains;

typedef struct hit_virtual {
    int speeds;   /* of the machine file; those behind them are guessed */
    bool carries; /* copies and kernels are carried out */
    hit_simulate_options options;
    hit_simulation *simulation; /* NULL: there is none */
    struct hit_trace *trace;    /* the context's; NULL: nothing is traced */
    int64_t now_ns;             /* of the last one */
    hit_virtual_chains *chains; /* NULL: there are none */
} hit_virtual;

static inline hit_virtual *hit_virtual_of(const hit_scheduled *s)
{
    return s->driven;
}

/* virtual.c */

/** The name under which the machine knows a kernel: as much of "gemm_nt_double" as the
 * file has, "gemm"; where it has none of it, its own name, cut off, with *known false. */
void hit_virtual_name(const hit_scheduled *s, const char *kernel,
                      char name[HIT_MACHINE_NAME], bool *known);
/** The same of @p kernel, which touches @p bytes: one of which
 * it knows nothing takes as long as it takes to move them. @errors HIT_E_NOMEM */
hit_status hit_virtual_know(hit_scheduled *s, const hit_kernel *kernel, int block,
                            int64_t bytes, char name[HIT_MACHINE_NAME]);
/** Nothing else goes on, and time does. */
void hit_virtual_pass(hit_scheduled *s, int64_t ns);
/** The events of device number @p device of the machine; something is traced. */
struct hit_trace *hit_virtual_trace(const hit_scheduled *s, int device);

/* virtual_chain.c: blocks of launches through the memories of the machine. */

/** Let launches be in blocks where the program asks for them, if the machine has a device
 * with a memory of its own. @errors HIT_E_NOMEM */
hit_status hit_virtual_chains_open(hit_scheduled *s);
/** Of a context that closes. */
void hit_virtual_chains_close(hit_scheduled *s);
/** The launch that comes may be recorded. @errors HIT_E_NOMEM */
hit_status hit_virtual_chains_meet(const hit_scheduled *s, const hit_call *call,
                                   const hit_launch_plan *plan);
/** Is the last launch in a block that has not run? */
bool hit_virtual_chains_wait(const hit_scheduled *s);

#endif
