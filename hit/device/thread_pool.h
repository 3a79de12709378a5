/* SPDX-License-Identifier: MIT
 * A fixed group of threads that all run the same function, again and again. Between two
 * runs they spin, longer where runs follow each other closely, and then sleep. The caller
 * does the part of a thread that comes late itself: to hand a short run over costs no
 * more than to draw its number, however long it takes to wake a thread. */
#ifndef HIT_DEVICE_THREAD_POOL_H
#define HIT_DEVICE_THREAD_POOL_H

#include "hit/device/cores.h"

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
int hit_thread_pool_threads(const hit_thread_pool *pool);

/** The elements of 0..count-1 that @p thread of @p threads does: *first up to but not
 * *last. Contiguous, in order, sizes differ by at most one. */
void hit_thread_pool_share(int64_t count, int thread, int threads, int64_t *first,
                           int64_t *last);

#endif
