/* SPDX-License-Identifier: MIT
 * The cores of a process, and threads on them. */
#ifndef HIT_DEVICE_CORES_H
#define HIT_DEVICE_CORES_H

#include "hit/base/status.h"

#include <stdbool.h>

/* The cores this process may use. Built twice: cores_hwloc.c, and cores_posix.c where
 * hwloc is off. */

typedef struct hit_cores hit_cores;

/** Sizes in bytes; 0 where unknown. Caches are those of the first core. */
typedef struct hit_cores_info {
    int cores;
    size_t level1_bytes;
    size_t level2_bytes;
    size_t level3_bytes;
    size_t memory_bytes; /**< of the machine */
} hit_cores_info;

/** Look at the machine. @owner *cores is the caller's until hit_cores_close() */
hit_status hit_cores_open(hit_cores **cores);
/** Accepts NULL in *cores; sets it to NULL. */
void hit_cores_close(hit_cores **cores);
/** How many cores the process is allowed to use, >= 1. They are numbered from 0. */
int hit_cores_count(const hit_cores *cores);
/** What groups of cores have in common; in the order of the names socket, numa, l3, l2,
 * core. */
typedef enum hit_cores_level {
    HIT_CORES_SOCKET,
    HIT_CORES_NUMA,
    HIT_CORES_L3,
    HIT_CORES_L2,
    HIT_CORES_CORE
} hit_cores_level;
/** The group of core @p core, as a number; neighbours of one group are neighbours in
 * number. Where the machine does not say, all are one. */
int hit_cores_group(const hit_cores *cores, int core, hit_cores_level level);
/** Keep the calling thread on core @p core, 0 <= core < count; a wish, false if refused.
 */
bool hit_cores_bind(const hit_cores *cores, int core);
/** Call @p function(@p of), after which the calling thread may run where it might before.
 */
void hit_cores_around(const hit_cores *cores, void (*function)(void *of), void *of);
/** Move the calling thread away from the core of processor @p number, as the operating
 * system counts them, to any other core of the process; it does not come back. False:
 * there is no other, or refused. */
bool hit_cores_leave(const hit_cores *cores, int number);
/** The number of core @p core as the operating system counts processors; -1: not known.
 */
int hit_cores_number(const hit_cores *cores, int core);
void hit_cores_info_get(const hit_cores *cores, hit_cores_info *info);
/** "hwloc 2.9.0", or what is used instead. */
const char *hit_cores_library(void);

/* thread_pool.c: a fixed group of threads that all run the same function, again and
 * again. Between two runs they spin, longer where runs follow each other closely, and
 * then sleep. The caller does the part of a thread that comes late itself: to hand a
 * short run over costs no more than to draw its number, however long it takes to wake a
 * thread. */

typedef struct hit_thread_pool hit_thread_pool;

#define HIT_THREAD_POOL_LONG 1e18

/** In the place of a first core. */
enum {
    HIT_THREAD_POOL_UNBOUND = -1,    /**< workers are bound to none */
    HIT_THREAD_POOL_BOUND_LATER = -2 /**< what they run binds them */
};

/** What every thread does; thread is 0 (the caller of hit_thread_pool_run) to threads
 * - 1. */
typedef void hit_thread_pool_function(void *argument, int thread, int threads);

/** Start @p threads - 1 >= 0 workers. Worker k is bound to core @p first_core + k, if
 * that is no constant of these. One that is unbound leaves the caller's processor when
 * it finds itself there. The caller is never bound: what it starts later would inherit
 * that.
 * @owner @p cores is borrowed until hit_thread_pool_destroy()
 * @errors HIT_E_NOMEM; HIT_E_DEVICE a thread cannot be started */
hit_status hit_thread_pool_create(int threads, const hit_cores *cores, int first_core,
                                  hit_thread_pool **pool);
/** Accepts NULL in *pool; sets it to NULL. */
void hit_thread_pool_destroy(hit_thread_pool **pool);
/** Call @p function once for each thread and return when all are done. One caller at a
 * time, and not from inside @p function. To wake threads costs the caller some ten
 * microseconds: those that sleep are woken when all that was run without them since they
 * were, with this run, comes to five times as much. Those that spin need not be.
 * @param work_ns what one thread would take for all calls, as far as is known;
 * HIT_THREAD_POOL_LONG: long, or nothing is known. The caller may make the call for a
 * thread that has not begun: calls must not wait for each other, and find what is a
 * thread's by the number that they are given. */
void hit_thread_pool_run(hit_thread_pool *pool, double work_ns,
                         hit_thread_pool_function *function, void *argument);
/** Call @p function on all threads but the caller, on each itself, without waiting:
 * hit_thread_pool_stop() does. What is asked for next stops first. */
void hit_thread_pool_start(hit_thread_pool *pool, hit_thread_pool_function *function,
                           void *argument);
/** Wait until what hit_thread_pool_start() called has returned on all threads. */
void hit_thread_pool_stop(hit_thread_pool *pool);
/** Within @p function of hit_thread_pool_start(), which the caller calls, too, as thread
 * 0: wait until all threads are here. */
void hit_thread_pool_barrier(hit_thread_pool *pool);

/** The elements of 0..count-1 that @p thread of @p threads does: *first up to but not
 * *last. Contiguous, in order, sizes differ by at most one. */
void hit_thread_pool_share(int64_t count, int thread, int threads, int64_t *first,
                           int64_t *last);

#endif
