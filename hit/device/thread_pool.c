/* SPDX-License-Identifier: MIT
 * The thread pool of the host device. No OpenMP: its runtimes are opaque to the thread
 * sanitizer, and their waiting policy is set for the whole process. A run is a ticket:
 * the caller writes the work and draws the next number, workers compare it with the last
 * one they saw, first spinning, then asleep. Each part of a ticket is claimed before it
 * is begun, by its worker or, when it has done its own, by the caller. A pool of one
 * thread costs nothing. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sched_getcpu */
#include "hit/base/alloc.h"
#include "hit/base/clock.h"
#include "hit/device/cores.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* How long to spin before one sleeps. To wake a thread takes as long as LONG_SPINS,
 * about, but other processes may want the core: so long spins only who waited less than
 * soon_s the last time. */
enum {
    SPINS = 500, /* 10 to 20 microseconds */
    LONG_SPINS = 10 * SPINS,
    YIELDS = 20 /* where threads share cores, spinning would keep others from working */
};

static const double soon_s = 5e-4;

/* What has to be there to be done before somebody is woken, which takes the caller a
 * fifth of it. */
static const double worth_ns = 5e4;

typedef struct worker {
    struct hit_thread_pool *pool;
    pthread_t handle;
    int thread;
    int number; /* of the processor it is bound to; -1: none, or not known */
    bool soon;  /* its last wait was short */
    _Alignas(64) atomic_uint claimed; /* the last ticket whose part somebody has begun */
} worker;

struct hit_thread_pool {
    int threads;
    int started; /* workers that must be joined */
    bool away;   /* they may be at work for hit_thread_pool_start() */
    bool crowded;
    bool soon;       /* the last wait of the caller was short */
    double quiet_ns; /* of runs since sleepers were woken */
    const hit_cores *cores;
    int first_core;
    hit_thread_pool_function *function; /* NULL: the end */
    void *argument;
    pthread_mutex_t mutex;
    pthread_cond_t wake; /* workers sleep here */
    pthread_cond_t done; /* the caller sleeps here */
    _Alignas(64) atomic_uint ticket;
    atomic_int processor; /* that the caller drew it on; -1: not known */
    atomic_int sleepers;
    _Alignas(64) atomic_int left;    /* workers that have not finished this ticket */
    atomic_bool waiting;             /* the caller sleeps, or is about to */
    _Alignas(64) atomic_int arrived; /* at the barrier */
    atomic_uint barriers;            /* that are over */
    worker worker[];
};

static void relax(bool crowded)
{
    if (crowded) {
        (void)sched_yield();
        return;
    }
    hit_spin_pause();
}

static int spins_of(const hit_thread_pool *pool, bool soon)
{
    if (pool->crowded) return YIELDS;
    return soon ? LONG_SPINS : SPINS;
}

/* The processor that this thread runs on; -1: not known. */
static int here(void)
{
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

/* A system may wake a thread on the processor of the thread that wakes it, though another
 * is free. Two that spin for each other there would be in turn at work and never
 * together: a worker that finds itself beside the caller moves. */
static void keep_apart(const hit_thread_pool *pool)
{
    const int beside = atomic_load_explicit(&pool->processor, memory_order_relaxed);

    if (pool->first_core != HIT_THREAD_POOL_UNBOUND) return;
    if (pool->crowded || beside < 0) return;
    if (here() == beside) (void)hit_cores_leave(pool->cores, beside);
}

static void go_to_first_core(void *of)
{
    const hit_thread_pool *pool = of;

    (void)hit_cores_bind(pool->cores, pool->first_core);
}

/* Bound workers cannot move: the caller leaves the core of one before it wakes them. */
static void leave_workers(hit_thread_pool *pool)
{
    const int mine = pool->first_core >= 0 && !pool->crowded ? here() : -1;

    for (int k = 1; mine >= 0 && k < pool->threads; k++) {
        if (pool->worker[k].number != mine) continue;
        hit_cores_around(pool->cores, go_to_first_core, pool);
        return;
    }
}

/* Wait for a ticket other than `seen`. A thread that is to sleep says so before it looks
 * at the ticket for the last time, and the caller looks for sleepers after it has drawn
 * one: one of the two sees the other. */
static unsigned next_ticket(worker *self, unsigned seen)
{
    hit_thread_pool *pool = self->pool;
    const int spins = spins_of(pool, self->soon);
    double asleep_s;

    for (int i = 0; i < spins; i++) {
        unsigned now = atomic_load_explicit(&pool->ticket, memory_order_acquire);
        if (now != seen) return now;
        relax(pool->crowded);
    }
    asleep_s = hit_clock_now(NULL);
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->ticket) == seen) {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->mutex);
    self->soon = hit_clock_now(NULL) - asleep_s < soon_s;
    return atomic_load(&pool->ticket);
}

/* Begin this worker's part of a ticket, for itself or in its place; false: it was begun.
 * All parts of the ticket before have been. */
static bool claim(worker *of, unsigned ticket)
{
    unsigned before = ticket - 1;

    return atomic_compare_exchange_strong(&of->claimed, &before, ticket);
}

static void *work(void *argument)
{
    worker *self = argument;
    hit_thread_pool *pool = self->pool;
    unsigned seen = 0;

    if (pool->first_core >= 0) {
        (void)hit_cores_bind(pool->cores, pool->first_core + self->thread);
    }
    for (;;) {
        seen = next_ticket(self, seen);
        keep_apart(pool);
        if (!claim(self, seen)) continue; /* the caller was faster */
        hit_thread_pool_function *function = pool->function;
        if (function != NULL) function(pool->argument, self->thread, pool->threads);
        if (atomic_fetch_sub(&pool->left, 1) == 1 && atomic_load(&pool->waiting)) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->mutex);
        }
        if (function == NULL) return NULL;
    }
}

static void draw_ticket(hit_thread_pool *pool, double work_ns,
                        hit_thread_pool_function *function, void *argument)
{
    pool->function = function;
    pool->argument = argument;
    if (pool->first_core == HIT_THREAD_POOL_UNBOUND) {
        atomic_store_explicit(&pool->processor, here(), memory_order_relaxed);
    }
    atomic_store_explicit(&pool->left, pool->started, memory_order_relaxed);
    atomic_fetch_add(&pool->ticket, 1);
    if (atomic_load(&pool->sleepers) == 0) return;
    pool->quiet_ns += work_ns;
    if (pool->quiet_ns < worth_ns) return;
    pool->quiet_ns = 0;
    leave_workers(pool);
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_for_workers(hit_thread_pool *pool)
{
    const int spins = spins_of(pool, pool->soon);
    double asleep_s;

    for (int i = 0; i < spins; i++) {
        if (atomic_load_explicit(&pool->left, memory_order_acquire) == 0) return;
        relax(pool->crowded);
    }
    asleep_s = hit_clock_now(NULL);
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->waiting, true);
    while (atomic_load(&pool->left) != 0) {
        pthread_cond_wait(&pool->done, &pool->mutex);
    }
    atomic_store(&pool->waiting, false);
    pthread_mutex_unlock(&pool->mutex);
    pool->soon = hit_clock_now(NULL) - asleep_s < soon_s;
}

hit_status hit_thread_pool_create(int threads, const hit_cores *cores, int first_core,
                                  hit_thread_pool **pool)
{
    hit_thread_pool *made = NULL;
    size_t size_bytes = sizeof(*made) + (size_t)threads * sizeof(worker);
    void *memory = NULL;

    HIT_TRY(hit_memory_take(size_bytes, "a thread pool", &memory));
    memset(memory, 0, size_bytes);
    made = memory;
    made->threads = threads;
    made->crowded = threads > hit_cores_count(cores);
    made->cores = cores;
    made->first_core = first_core;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->wake, NULL);
    pthread_cond_init(&made->done, NULL);
    for (int k = 1; k < threads; k++) {
        made->worker[k] = (worker){
            .pool = made,
            .thread = k,
            .number = first_core >= 0 ? hit_cores_number(cores, first_core + k) : -1};
        int error = pthread_create(&made->worker[k].handle, NULL, work, &made->worker[k]);
        if (error != 0) {
            hit_thread_pool_destroy(&made);
            return HIT_FAIL(HIT_E_DEVICE, "thread %d of %d could not be started: %s", k,
                            threads, strerror(error));
        }
        made->started = k;
    }
    *pool = made;
    return HIT_OK;
}

void hit_thread_pool_destroy(hit_thread_pool **pool)
{
    hit_thread_pool *old = *pool;

    if (old == NULL) return;
    hit_thread_pool_stop(old);
    if (old->started > 0) draw_ticket(old, HIT_THREAD_POOL_LONG, NULL, NULL);
    for (int k = 1; k <= old->started; k++) {
        pthread_join(old->worker[k].handle, NULL);
    }
    pthread_cond_destroy(&old->done);
    pthread_cond_destroy(&old->wake);
    pthread_mutex_destroy(&old->mutex);
    void *memory = old;
    hit_memory_release(&memory);
    *pool = NULL;
}

/* The parts of workers that have not come yet. */
static void stand_in(hit_thread_pool *pool, hit_thread_pool_function *function,
                     void *argument)
{
    const unsigned ticket = atomic_load_explicit(&pool->ticket, memory_order_relaxed);

    for (int k = pool->started; k > 0; k--) {
        if (!claim(&pool->worker[k], ticket)) continue;
        function(argument, k, pool->threads);
        atomic_fetch_sub(&pool->left, 1);
    }
}

void hit_thread_pool_run(hit_thread_pool *pool, double work_ns,
                         hit_thread_pool_function *function, void *argument)
{
    if (pool->threads == 1) {
        function(argument, 0, 1);
        return;
    }
    hit_thread_pool_stop(pool);
    draw_ticket(pool, work_ns, function, argument);
    function(argument, 0, pool->threads);
    stand_in(pool, function, argument);
    wait_for_workers(pool);
}

/* The others come soon: all threads are at work. Where one has lost its core, spinning
 * would keep it from that. */
void hit_thread_pool_barrier(hit_thread_pool *pool)
{
    const unsigned seen = atomic_load(&pool->barriers);

    if (pool->threads == 1) return;
    if (atomic_fetch_add(&pool->arrived, 1) + 1 == pool->threads) {
        atomic_store(&pool->arrived, 0);
        atomic_fetch_add(&pool->barriers, 1);
        return;
    }
    for (int i = 0; atomic_load(&pool->barriers) == seen; i++) {
        relax(pool->crowded || i > LONG_SPINS);
    }
}

void hit_thread_pool_start(hit_thread_pool *pool, hit_thread_pool_function *function,
                           void *argument)
{
    if (pool->threads == 1) return;
    hit_thread_pool_stop(pool);
    pool->away = true;
    draw_ticket(pool, HIT_THREAD_POOL_LONG, function, argument);
}

void hit_thread_pool_stop(hit_thread_pool *pool)
{
    if (!pool->away) return;
    wait_for_workers(pool);
    pool->away = false;
}

void hit_thread_pool_share(int64_t count, int thread, int threads, int64_t *first,
                           int64_t *last)
{
    int64_t each = count / threads;
    int64_t rest = count % threads;

    *first = each * thread + (thread < rest ? thread : rest);
    *last = *first + each + (thread < rest ? 1 : 0);
}
