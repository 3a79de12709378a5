/* SPDX-License-Identifier: MIT
 * Workers of one window of tasks (hit/sched/sched_impl.h), under one lock that is held
 * for less than a microsecond, but while ranks are computed. A worker that finds nothing
 * spins, then sleeps; when all tasks are done the workers leave the device's threads. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): pthreads */
#include "hit/base/alloc.h"
#include "hit/base/clock.h"
#include "hit/base/trace.h"
#include "hit/sched/sched_impl.h"
#include "hit/tile/descriptions.h"
#include "hit/tile/station.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    SPINS = 1000, /* as long as a thread takes to sleep and to be woken on a virtual
                     machine, some 25 microseconds */
    LOCK_SPINS = 200,
    WORTH_NS = 20000 /* of work for which a thread is woken, which takes 1/4 of it */
};

struct hit_tasks {
    const hit_stations *stations;
    hit_trace *trace; /* of the only device */
    int threads;      /* workers, the caller among them */
    uint64_t *over;
    hit_descriptions what; /* of all tasks */
    uint64_t *before;      /* of the task that was begun */
    int befores;
    size_t before_room;
    int sure_edges; /* of the window: workers only give some back */
    bool paused;
    uint64_t added;

    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t wake;  /* workers sleep here */
    pthread_cond_t told;  /* the caller sleeps here */
    hit_window *window;
    int inside;   /* workers that have not left */
    bool leaving; /* they are to leave, or do */
    int sleepers;
    int64_t quiet_ns; /* of tasks that were added since a worker was woken */
    bool caller_sleeps;
    uint64_t awaited; /* by the caller; 0: all */
    uint64_t failed;  /* the first task that failed; 0: none */
    hit_first failure;
    hit_lengths lengths;
    _Alignas(64) atomic_uint changes; /* of what there is to do */
    atomic_uint_fast64_t over_now;    /* read without the lock */
};

hit_status hit_tasks_create(hit_stations *stations, hit_tasks **tasks)
{
    hit_tasks *made = NULL;
    void *memory = NULL;
    hit_status status = hit_memory_take(sizeof(*made), "a window of tasks", &memory);

    HIT_TRY(status);
    made = memory;
    *made = (hit_tasks){.stations = stations,
                        .trace = stations->station[0].device->spec.trace,
                        .threads = hit_workers_count(stations),
                        .over = &stations->over[hit_source_of_tasks(stations)]};
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wake, NULL);
    pthread_cond_init(&made->told, NULL);
    status = hit_window_create(HIT_TASKS_WINDOW, &made->window);
    if (status != HIT_OK) hit_tasks_destroy(&made);
    *tasks = made;
    return status;
}

void hit_tasks_destroy(hit_tasks **tasks_pointer)
{
    hit_tasks *tasks = *tasks_pointer;
    void *memory = tasks;

    if (tasks == NULL) return;
    if (tasks->window != NULL) {
        (void)hit_tasks_wait_all(tasks);
        hit_workers_stop(tasks->stations);
    }
    hit_window_destroy(&tasks->window);
    pthread_cond_destroy(&tasks->told);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->lock);
    hit_descriptions_clear(&tasks->what);
    free(tasks->before);
    hit_memory_release(&memory);
    *tasks_pointer = NULL;
}

/* It is held for less than it takes to fall asleep and to be woken. */
static void lock_soon(hit_tasks *tasks)
{
    for (int k = 0; k < LOCK_SPINS; k++) {
        if (pthread_mutex_trylock(&tasks->lock) == 0) return;
        hit_spin_pause();
    }
    pthread_mutex_lock(&tasks->lock);
}

/* ---- carrying out; the lock is held where nothing else is said ---- */

/* @p ready tasks became ready, of which this thread takes none. Where some are for some
 * workers only, all look. */
static void wake_some(hit_tasks *tasks, int ready)
{
    atomic_fetch_add_explicit(&tasks->changes, 1, memory_order_release);
    if (hit_window_chooses(tasks->window)) ready = tasks->threads;
    if (ready > 0 && tasks->caller_sleeps) {
        pthread_cond_signal(&tasks->told);
        ready--;
    }
    for (int k = 0; k < ready && k < tasks->sleepers; k++) {
        pthread_cond_signal(&tasks->wake);
    }
}

/* Tasks run side by side. */
static void trace_task(hit_tasks *tasks, const hit_kernel *kernel, double start_s,
                       double end_s)
{
    hit_trace_put(tasks->trace, HIT_TRACE_RUN,
                  &(hit_trace_event){.what = kernel->name,
                                     .start_s = start_s,
                                     .end_s = end_s,
                                     .beside = tasks->threads});
}

static void note_failure(hit_tasks *tasks, uint64_t number, hit_status status)
{
    if (tasks->failed != 0 && tasks->failed < number) return;
    tasks->failed = number;
    hit_first_store(&tasks->failure, status);
}

static void note_over(hit_tasks *tasks)
{
    atomic_store_explicit(&tasks->over_now, hit_window_over(tasks->window),
                          memory_order_release);
}

static void leave(hit_tasks *tasks)
{
    tasks->leaving = true;
    atomic_fetch_add(&tasks->changes, 1);
    pthread_cond_broadcast(&tasks->wake);
}

/* The lock is given back meanwhile. */
static void carry_out(hit_tasks *tasks, uint64_t number, int worker)
{
    const hit_task *task = hit_descriptions_at(&tasks->what, number);
    hit_status status = HIT_OK;
    int ready;

    if (!hit_window_is_cancelled(tasks->window, number)) {
        double start_s;
        double end_s;

        pthread_mutex_unlock(&tasks->lock);
        start_s = hit_trace_now();
        status = hit_workers_run(tasks->stations, worker, task->kernel, task->run);
        end_s = hit_trace_now();
        lock_soon(tasks);
        hit_lengths_note(&tasks->lengths, task->kernel, end_s - start_s);
        if (tasks->stations->count == 1 && hit_trace_on(tasks->trace)) {
            trace_task(tasks, task->kernel, start_s, end_s);
        }
        if (status != HIT_OK) note_failure(tasks, number, status);
    }
    ready = hit_window_done(tasks->window, number, status != HIT_OK);
    note_over(tasks);
    if (ready > 1 || (ready > 0 && hit_window_chooses(tasks->window))) {
        wake_some(tasks, ready - 1);
    }
    if (tasks->caller_sleeps &&
        (tasks->awaited == number || hit_window_open(tasks->window) == 0)) {
        pthread_cond_signal(&tasks->told);
    }
    if (hit_window_open(tasks->window) == 0 && tasks->sleepers > 0) leave(tasks);
}

/* Is there something new to do? The lock is given back meanwhile. */
static bool changed_soon(hit_tasks *tasks)
{
    const unsigned seen = atomic_load(&tasks->changes);
    unsigned now = seen;

    pthread_mutex_unlock(&tasks->lock);
    for (int k = 0; k < SPINS && now == seen; k++) {
        hit_spin_pause();
        now = atomic_load_explicit(&tasks->changes, memory_order_acquire);
    }
    lock_soon(tasks);
    return now != seen || atomic_load(&tasks->changes) != seen;
}

/* What a worker does. */
static void work(void *of, int thread, int threads)
{
    hit_tasks *tasks = of;

    (void)threads;
    if (thread == 0) return;
    lock_soon(tasks);
    while (!tasks->leaving) {
        const uint64_t number = hit_window_take(tasks->window, thread);

        if (number != 0) {
            carry_out(tasks, number, thread);
        } else if (!changed_soon(tasks)) {
            if (hit_window_open(tasks->window) == 0) {
                leave(tasks);
                break;
            }
            tasks->sleepers++;
            pthread_cond_wait(&tasks->wake, &tasks->lock);
            tasks->sleepers--;
        }
    }
    tasks->inside--;
    pthread_mutex_unlock(&tasks->lock);
}

/* The lock is not held. */
static void start_workers(hit_tasks *tasks)
{
    hit_workers_stop(tasks->stations);
    lock_soon(tasks);
    tasks->leaving = false;
    tasks->inside = tasks->threads - 1;
    pthread_mutex_unlock(&tasks->lock);
    hit_workers_start(tasks->stations, work, tasks);
}

static bool needs_workers(const hit_tasks *tasks)
{
    return tasks->threads > 1 && hit_window_ready(tasks->window) > 0 &&
           (tasks->leaving || tasks->inside == 0);
}

/* For so many ready tasks. The lock is given back meanwhile. */
static void call_workers(hit_tasks *tasks, int ready)
{
    tasks->quiet_ns = 0;
    if (needs_workers(tasks)) {
        pthread_mutex_unlock(&tasks->lock);
        start_workers(tasks);
        lock_soon(tasks);
    } else {
        wake_some(tasks, ready);
    }
}

/* The caller carries one task out, or looks for a ready one for some microseconds; false:
 * there is nothing new to do. */
static bool work_once(hit_tasks *tasks)
{
    const uint64_t taken = hit_window_take(tasks->window, 0);

    if (taken == 0) return changed_soon(tasks);
    carry_out(tasks, taken, 0);
    return true;
}

/* Is task @p number done; 0: are all? */
static bool is_done(const hit_tasks *tasks, uint64_t number)
{
    return number != 0 ? hit_window_is_done(tasks->window, number)
                       : hit_window_open(tasks->window) == 0;
}

/* The caller works until it is. */
static void work_until(hit_tasks *tasks, uint64_t number)
{
    const int ready = hit_window_ready(tasks->window);

    hit_window_rank_for_wait(tasks->window, number == 0);
    if (ready > 1 || hit_window_chooses(tasks->window)) call_workers(tasks, ready - 1);
    while (!is_done(tasks, number)) {
        if (work_once(tasks) || is_done(tasks, number)) continue;
        tasks->awaited = number;
        tasks->caller_sleeps = true;
        pthread_cond_wait(&tasks->told, &tasks->lock);
        tasks->caller_sleeps = false;
    }
    *tasks->over = hit_window_over(tasks->window);
}

/* ---- for the caller; the lock is not held ---- */

/* What tasks were to write that failed or were cancelled. */
static void lose_writes(const hit_tasks *tasks, hit_status status)
{
    for (uint64_t n = hit_window_over(tasks->window) + 1; n <= tasks->added; n++) {
        const hit_task *task = hit_descriptions_at(&tasks->what, n);

        if (!hit_window_failed(tasks->window, n)) continue;
        for (int k = 0; k < task->writes; k++) {
            hit_storage_lose(task->write[k].storage, task->write[k].piece,
                             &task->write[k].box, status);
        }
    }
}

/* All are over: the first failure. */
static hit_status tell(hit_tasks *tasks)
{
    hit_status status;

    if (tasks->failed == 0) return HIT_OK;
    status = hit_first_tell(&tasks->failure);
    lose_writes(tasks, status);
    tasks->failed = 0;
    hit_window_forgive(tasks->window);
    note_over(tasks);
    *tasks->over = hit_window_over(tasks->window);
    return status;
}

bool hit_tasks_any(hit_tasks *tasks)
{
    if (tasks == NULL || tasks->added == *tasks->over) return false;
    *tasks->over = atomic_load_explicit(&tasks->over_now, memory_order_acquire);
    return tasks->added != *tasks->over;
}

hit_status hit_tasks_wait_all(hit_tasks *tasks)
{
    hit_status status;

    if (tasks == NULL || tasks->added == *tasks->over) return HIT_OK;
    lock_soon(tasks);
    work_until(tasks, 0);
    status = tell(tasks);
    pthread_mutex_unlock(&tasks->lock);
    return status;
}

bool hit_tasks_help(hit_tasks *tasks)
{
    bool open;

    if (!hit_tasks_any(tasks)) return false;
    lock_soon(tasks);
    hit_window_rank_for_wait(tasks->window, false);
    if (hit_window_ready(tasks->window) > 1) call_workers(tasks, 1);
    open = hit_window_open(tasks->window) > 0; /* else some have failed */
    if (open) (void)work_once(tasks);
    pthread_mutex_unlock(&tasks->lock);
    return open;
}

hit_status hit_tasks_hasten(void *of, uint64_t number)
{
    hit_tasks *tasks = of;

    if (number <= *tasks->over || number > tasks->added) return HIT_OK;
    lock_soon(tasks);
    hit_window_hasten(tasks->window, number);
    pthread_mutex_unlock(&tasks->lock);
    return HIT_OK;
}

hit_status hit_tasks_wait(void *of, uint64_t number)
{
    hit_tasks *tasks = of;
    bool failed;

    /* a task that was named in a log and never added is none */
    if (number <= *tasks->over || number > tasks->added) return HIT_OK;
    lock_soon(tasks);
    work_until(tasks, number);
    failed = hit_window_failed(tasks->window, number);
    pthread_mutex_unlock(&tasks->lock);
    return failed ? hit_tasks_wait_all(tasks) : HIT_OK;
}

/* Let at most three quarters of the window be in use. Most are over when the last is. */
static hit_status make_room(hit_tasks *tasks)
{
    const uint64_t most = (uint64_t)HIT_TASKS_WINDOW / 4 * 3;

    if (!hit_tasks_any(tasks)) return HIT_OK;
    if (tasks->added - *tasks->over < HIT_TASKS_WINDOW) return HIT_OK;
    HIT_TRY(hit_tasks_wait(tasks, tasks->added - most));
    while (tasks->added - *tasks->over > most) {
        HIT_TRY(hit_tasks_wait(tasks, *tasks->over + 1));
    }
    return HIT_OK;
}

hit_status hit_tasks_begin(hit_tasks *tasks, const hit_task_room *room, hit_task **task,
                           uint64_t *number)
{
    if (tasks->added - *tasks->over == HIT_TASKS_WINDOW) HIT_TRY(make_room(tasks));
    tasks->befores = 0;
    *number = tasks->added + 1;
    *task = hit_descriptions_take(
        &tasks->what, *number,
        atomic_load_explicit(&tasks->over_now, memory_order_acquire), room);
    return HIT_OK;
}

/* No worker looks at the speeds while no task is open. */
hit_status hit_tasks_run_light(hit_tasks *tasks, bool *ran)
{
    const hit_task *task = hit_descriptions_at(&tasks->what, tasks->added + 1);
    hit_status status;
    double start_s;

    *ran = tasks->stations->count == 1 && !hit_tasks_any(tasks) &&
           hit_lengths_is_light(&tasks->lengths, task->kernel);
    if (!*ran) return HIT_OK;
    start_s = hit_trace_now();
    status = hit_workers_run(tasks->stations, 0, task->kernel, task->run);
    hit_lengths_note(&tasks->lengths, task->kernel, hit_trace_now() - start_s);
    hit_trace_add(tasks->trace, HIT_TRACE_RUN, task->kernel->name, start_s, 0);
    return status;
}

hit_status hit_tasks_after(void *of, uint64_t before)
{
    hit_tasks *tasks = of;

    if (before > tasks->added) return HIT_OK; /* itself: it reads and writes a tile */
    HIT_TRY(hit_memory_grow((size_t)tasks->befores + 1, &tasks->before_room,
                            sizeof(uint64_t), "a window of tasks", &tasks->before));
    tasks->before[tasks->befores++] = before;
    return HIT_OK;
}

hit_status hit_tasks_reserve(hit_tasks *tasks)
{
    hit_status status;

    if (tasks->befores <= tasks->sure_edges) return HIT_OK;
    lock_soon(tasks);
    status = hit_window_reserve(tasks->window, tasks->befores);
    tasks->sure_edges = hit_window_free_edges(tasks->window);
    pthread_mutex_unlock(&tasks->lock);
    return status;
}

void hit_tasks_add(hit_tasks *tasks)
{
    const hit_task *task = hit_descriptions_at(&tasks->what, tasks->added + 1);
    int64_t run_ns;

    lock_soon(tasks);
    run_ns = hit_lengths_expect(&tasks->lengths, task->kernel, WORTH_NS);
    tasks->added =
        hit_window_add(tasks->window, run_ns, task->on, tasks->befores, tasks->before);
    tasks->sure_edges -= tasks->befores;
    tasks->quiet_ns += run_ns;
    *tasks->over = hit_window_over(tasks->window);
    if (hit_window_ready(tasks->window) > 0 && tasks->quiet_ns >= WORTH_NS) {
        call_workers(tasks, 1);
    }
    pthread_mutex_unlock(&tasks->lock);
}

void hit_tasks_pause(hit_tasks *tasks)
{
    if (!hit_tasks_any(tasks)) return;
    tasks->paused = true;
    lock_soon(tasks);
    leave(tasks);
    pthread_mutex_unlock(&tasks->lock);
    hit_workers_stop(tasks->stations);
}

void hit_tasks_resume(hit_tasks *tasks)
{
    bool starts;

    if (tasks == NULL || !tasks->paused) return;
    tasks->paused = false;
    lock_soon(tasks);
    starts = needs_workers(tasks);
    pthread_mutex_unlock(&tasks->lock);
    if (starts) start_workers(tasks);
}
