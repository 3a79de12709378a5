/* SPDX-License-Identifier: MIT
 * Internal: launches that returned before they ran, as tasks for workers that work on the
 * tiles' own memory (docs/scheduling.md): the threads of the device of the process, or,
 * where it has several, its devices, each with all its threads. The calling thread adds
 * tasks and is one of the workers whenever it waits; all functions are for it alone. */
#ifndef HIT_TILE_TASKS_H
#define HIT_TILE_TASKS_H

#include "hit/device/device.h"

#include <stddef.h>

/* workers.c: who carries tasks out (hit/tile/tasks.h): the threads of the device of the
 * process, each a task of its own, or, where it has several, its devices, each with all
 * its threads. Worker 0 is the caller. */

/** Who carries tasks out; borrowed. */
typedef struct hit_workers {
    int devices;
    hit_device *device[HIT_MAX_DEVICES];
    hit_crew *crew; /**< NULL: there is one device */
} hit_workers;

/** How many tasks can they carry out at the same time? */
int hit_workers_count(const hit_workers *workers);
/** Can they carry out tasks? */
bool hit_workers_can(const hit_workers *workers);
/** Call @p work once on each worker but the caller, and return at once; stop waits until
 * all have returned. */
void hit_workers_start(const hit_workers *workers, hit_work *work, void *of);
void hit_workers_stop(const hit_workers *workers);
/** Run a task on the calling worker. */
hit_status hit_workers_run(const hit_workers *workers, int worker,
                           const hit_kernel *kernel, const hit_run *run);

/* lengths.c: how long kernels take as tasks, for the order of tasks and for who runs
 * them: nothing is cut by it. */

enum {
    HIT_LENGTHS = 64 /* kernels whose times are kept */
};

typedef struct hit_lengths {
    struct {
        const hit_kernel *kernel;
        double run_ns; /**< 0: not known */
        int light;     /**< runs that were, fewer for each that was not */
    } of[HIT_LENGTHS];
} hit_lengths;

/** It took @p run_s. */
void hit_lengths_note(hit_lengths *lengths, const hit_kernel *kernel, double run_s);
/** At least 1; @p unknown_ns where it never ran. */
int64_t hit_lengths_expect(hit_lengths *lengths, const hit_kernel *kernel,
                           int64_t unknown_ns);
/** Has it taken less so far than it takes to hand a task to another thread? */
bool hit_lengths_is_light(hit_lengths *lengths, const hit_kernel *kernel);

typedef struct hit_tasks hit_tasks;

enum {
    HIT_TASKS_WINDOW = 4096,   /* tasks that are not over */
    HIT_TASK_WRITES = 4,       /* arguments that a task of several processes writes */
    HIT_TASK_VALUE_BYTES = 256 /* of all values of a task */
};

/** What is lost where a task fails. */
typedef struct hit_task_write {
    struct hit_storage *storage;
    int piece;
    hit_domain box;
} hit_task_write;

/** What a task does. */
typedef struct hit_task {
    const hit_kernel *kernel; /**< lives as long as the context */
    uint64_t on;              /**< the workers that may take it, bit by bit; 0: all */
    hit_run run;              /**< of the slots, those of the kernel's arguments */
    int writes;               /**< 0 on one process, where nothing is lost */
    hit_task_write write[HIT_TASK_WRITES];
    max_align_t value[(HIT_TASK_VALUE_BYTES + 64) / sizeof(max_align_t)]; /**< aligned:
                                                                        the caller's go */
} hit_task;

/** @param over where to keep the number up to which all tasks are over; borrowed
 * @owner *tasks: hit_tasks_destroy() @errors HIT_E_NOMEM */
hit_status hit_tasks_create(const hit_workers *workers, uint64_t *over,
                            hit_tasks **tasks);
/** Carries out what is left. Accepts NULL in *tasks; sets it to NULL. */
void hit_tasks_destroy(hit_tasks **tasks);

/** Begin a task: the memory to describe it in, and the number by which logs may name it
 * from now on. Where the window is full, the caller works until a quarter of it is free.
 * @errors those of tasks that failed: the new one is not to be added */
hit_status hit_tasks_begin(hit_tasks *tasks, hit_task **task, uint64_t *number);
/** In place of what follows: the task runs at once, on the caller, where its kernel was
 * light so far and no task is open. *ran: it did. @errors those of its kernel */
hit_status hit_tasks_run_light(hit_tasks *tasks, bool *ran);
/** The task that was begun comes after task number @p before. A hit_loose_visitor.
 * @errors HIT_E_NOMEM */
hit_status hit_tasks_after(void *of, uint64_t before);
/** Memory for what hit_tasks_after() was told: then hit_tasks_add() cannot fail.
 * @errors HIT_E_NOMEM */
hit_status hit_tasks_reserve(hit_tasks *tasks);
void hit_tasks_add(hit_tasks *tasks);

/** May some not be over? NULL has none. */
bool hit_tasks_any(hit_tasks *tasks);
/** Another process waits for what task number @p number writes: it comes first at the
 * next wait, with those that it comes after. A hit_loose_visitor. */
hit_status hit_tasks_hasten(void *of, uint64_t number);
/** Wait for task number @p number. A hit_loose_visitor.
 * @errors if it failed, or comes after one that did: then all tasks are over, and the
 * error is that of the first one that failed in program order. One wait tells it */
hit_status hit_tasks_wait(void *of, uint64_t number);
/** Wait for all. NULL has none. @errors as above */
hit_status hit_tasks_wait_all(hit_tasks *tasks);
/** The caller waits for something else: carry one task out, or look for a ready one for
 * some microseconds. False: all are over. NULL has none. */
bool hit_tasks_help(hit_tasks *tasks);
/** Let the workers leave after the tasks under way, so that the device can do something
 * else with all its threads, and come back. Accept NULL. */
void hit_tasks_pause(hit_tasks *tasks);
void hit_tasks_resume(hit_tasks *tasks);

#endif
