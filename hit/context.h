/* SPDX-License-Identifier: MIT
 * A program's processes and devices: open first, close last. */
#ifndef HIT_CONTEXT_H
#define HIT_CONTEXT_H

#include "hit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What hit_open_with() may be told; all 0 is the default. */
typedef struct hit_options {
    /** Devices, "host:staged:memory=16MiB; host + cuda:0"; processes on one host take the
     * items in turn, and "+" joins the devices of one process. NULL: the environment's
     * HIT_DEVICES, else GPUs where there are some, else the host's cores. */
    const char *devices;
    /** Limit on each device's memory in bytes; a host device becomes staged by it. 0:
     * none. */
    size_t device_memory_bytes;
    /** Threads of a host device whose item in the list names neither threads nor cores;
     * 0: HIT_THREADS, else one per core of this process's share. */
    int threads;
} hit_options;

/** Figures since hit_open(), of this process. */
typedef struct hit_stats {
    uint64_t launches;
    uint64_t superblocks; /**< in place: one per launch and piece of a device */
    /** Plans that were made anew since a device had less memory than its limit said. */
    uint64_t replans;
    uint64_t bytes_in;  /**< host memory to device memory */
    uint64_t bytes_out; /**< device memory to host memory */
    /** By launches. Content that did not change is announced by an empty message. */
    uint64_t messages_sent;
    uint64_t message_bytes_sent;
    uint64_t indices; /**< of launches, run by this process */
    double busy_s;    /**< seconds spent running them, without waiting for messages; only
                         of what has run: hit_wait() first */
    uint64_t device_peak_bytes;  /**< the most that a staged or CUDA device has held */
    uint64_t device_limit_bytes; /**< the largest of them; 0: all work in place */
    uint64_t resident_peak_bytes;
} hit_stats;

/** Start the library, and MPI if it was not started; `hit_open(&argc, &argv, &hit)`.
 *
 * @collective over all processes of MPI_COMM_WORLD
 * @owner  *context is the caller's until hit_close()
 * @errors HIT_E_ARG HIT_DEVICES or HIT_THREADS is wrong; HIT_E_ABSENT a device that is
 * not there; HIT_E_COMM; HIT_E_PEER
 */
HIT_API hit_status hit_open(int *argc, char ***argv, hit_context **context);
/** The same with options; NULL: as hit_open(). */
HIT_API hit_status hit_open_with(int *argc, char ***argv, const hit_options *options,
                                 hit_context **context);
/** Give everything back, and end MPI if hit_open() began it. Tiles and layouts are to be
 * destroyed before; those that are not can be destroyed afterwards, and nothing else. The
 * context that began MPI is to be closed last, and none can be opened after it; once MPI
 * has ended, what others still ask for fails with HIT_E_COMM. Accepts NULL in
 * *context; sets it to NULL.
 * @collective yes */
HIT_API void hit_close(hit_context **context);

/** -1 for NULL. */
HIT_API int hit_rank(const hit_context *context);
/** 0 for NULL. */
HIT_API int hit_size(const hit_context *context);
/** Wait for all processes. @collective yes */
HIT_API hit_status hit_barrier(hit_context *context);
/** Seconds, monotonic. */
HIT_API double hit_time(const hit_context *context);
HIT_API void hit_context_stats(const hit_context *context, hit_stats *stats);
/** The same over all processes: counts are summed; peaks, limits and times are the
 * largest. In a dry run (docs/dry-run.md): what was planned.
 * @collective yes */
HIT_API hit_status hit_context_stats_all(hit_context *context, hit_stats *total);
/** One line on this process's devices. Never more than @p size bytes. */
HIT_API void hit_context_device(const hit_context *context, char *text, size_t size);
/** The library's version, "0.1.0". */
HIT_API const char *hit_version(void);

#ifdef __cplusplus
}
#endif

#endif
