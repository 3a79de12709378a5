/* SPDX-License-Identifier: MIT
 * A program's processes and devices: open first, close last. */
#ifndef HIT_CONTEXT_H
#define HIT_CONTEXT_H

#include "hit/base/status.h"
#include "hit/base/version.h"
#include "hit/launch/stats.h"

#include <stdio.h>

HIT_C_BEGIN

/** What hit_open_with() may be told; all 0 is the default. */
typedef struct hit_options {
    /** Devices, "host:staged:memory=16MiB; host + cuda:0"; processes on one host take the
     * items in turn, and "+" joins the devices of one process. "simulated:FILE" is a
     * machine in virtual time (docs/scheduling.md). NULL: the environment's
     * HIT_DEVICES, else GPUs where there are some, each with the host for what it cannot
     * run, else the host's cores. */
    const char *devices;
    /** Limit on each device's memory in bytes; a host device becomes staged by it. 0:
     * none. */
    size_t device_memory_bytes;
    /** Threads of a host device whose item in the list names neither threads nor cores;
     * 0: HIT_THREADS, else one per core of this process's share. */
    int threads;
    /** Kinds of devices of the program, which `devices` and HIT_DEVICES may then name;
     * the list ends with NULL, and the kinds are borrowed until hit_close()
     * (docs/howto-device.md). NULL: there are none. */
    const struct hit_device_ops *const *device_kinds;
    /** Schedulers of the program, which HIT_SCHED may then name, in the same way
     * (docs/howto-scheduler.md). */
    const struct hit_sched_ops *const *schedulers;
    /** Where the library prints what a variable of the environment asks for (HIT_PLAN,
     * HIT_PROFILE, HIT_CHECK, HIT_INFER, HIT_CHAIN=say); else it prints nothing. Borrowed
     * until hit_close(). NULL: stdout, and stderr for progress and for failures that no
     * call returns. */
    FILE *out;
} hit_options;

/** Start the library, and MPI if it was not started; `hit_open(&argc, &argv, &hit)`.
 *
 * The thread that opens a context is the one that launches with it, and that calls what
 * concerns all processes: launches and looks at tiles of others are refused (HIT_E_ARG).
 * @collective over all processes of MPI_COMM_WORLD
 * @owner  *context is the caller's until hit_close()
 * @errors HIT_E_ARG HIT_DEVICES, HIT_THREADS, HIT_SCHED, HIT_CHECK or the like is wrong;
 * HIT_E_ABSENT a device that is not there; HIT_E_COMM; HIT_E_PEER
 */
HIT_API hit_status hit_open(int *argc, char ***argv, hit_context **context);
/** The same with options; NULL: as hit_open(). */
HIT_API hit_status hit_open_with(int *argc, char ***argv, const hit_options *options,
                                 hit_context **context);
/** Give everything back, and end MPI if hit_open() began it. Tiles and layouts are to be
 * destroyed before; those that are not can be destroyed afterwards, and nothing else. The
 * context that began MPI is to be closed last, and none can be opened after it; once MPI
 * has ended, what others still ask for fails with HIT_E_COMM. Launches that have not run
 * yet run; their failures are lost: call hit_wait() before to learn of them. Accepts
 * NULL in *context; sets it to NULL. In a child that was forked it returns at once, frees
 * memory only, and calls no MPI.
 * @collective yes */
HIT_API void hit_close(hit_context **context);

/** -1 for NULL. */
HIT_API int hit_rank(const hit_context *context);
/** 0 for NULL. */
HIT_API int hit_size(const hit_context *context);
/** Wait for all processes. @collective yes */
HIT_API hit_status hit_barrier(hit_context *context);
/** Seconds, monotonic; on a simulated machine virtual ones, up to the last wait. */
HIT_API double hit_time(const hit_context *context);
/** One line on this process's devices. Never more than @p size bytes. */
HIT_API void hit_context_device(const hit_context *context, char *text, size_t size);

HIT_C_END

#endif
