/* SPDX-License-Identifier: MIT
 * The interface of scheduler plug-ins: what they see, and what they decide. A plug-in is
 * one file with one hit_sched_ops, and one line in table.c or hit_scheduler_register().
 * Times are whole nanoseconds; of equals the one with the lower number is taken. */
#ifndef HIT_SCHED_POLICY_H
#define HIT_SCHED_POLICY_H

#include "hit/base/status.h"

#include <stdbool.h>

HIT_C_BEGIN

typedef struct hit_sched_device {
    int kind; /**< devices of the same kind are alike */
    int node; /**< its memory; 0 is the host's, which all devices there share */
    int threads;
} hit_sched_device;

/** What a plug-in sees: the same in a real run and in virtual time. Tasks are numbers in
 * program order. */
typedef struct hit_sched_view {
    void *self; /**< the first argument of all functions */
    int devices;
    int accelerators; /**< the first ones, which have a memory of their own */
    const hit_sched_device *device;
    int64_t (*now_ns)(void *self);
    /** How long the task takes on the device; -1: it cannot run there, or
     * may not, since the program placed it elsewhere. */
    int64_t (*run_ns)(void *self, int task, int device);
    /** How long it takes to bring what it reads and the device's memory lacks; what is on
     * its way there, or read by a task that was given to a device there, counts as there.
     */
    int64_t (*bring_ns)(void *self, int task, int device);
    /** Bytes of the task's data that are valid in the device's memory.
     * @param written only of the data that it writes */
    int64_t (*held_bytes)(void *self, int task, int device, bool written);
    /** When all that the device was given is done, as far as is known. */
    int64_t (*free_ns)(void *self, int device);
    /** The longest way to the end with the task itself, of the least times. */
    int64_t (*rank_ns)(void *self, int task);
    /** The same of the means over all devices. */
    int64_t (*mean_rank_ns)(void *self, int task);
    /** The accelerator that a block-cyclic layout gives its block to; -1: there is none
     * on which it can run. */
    int (*home)(void *self, int task);
    /** Give the task to a device on which it can run; @p end_ns is when it will be over,
     * and what free_ns() answers from now on. Only within ready(). */
    void (*give)(void *self, int task, int device, int64_t end_ns);
    /** A random number, the same in every run from the same seed. */
    uint64_t (*random)(void *self);
} hit_sched_view;

/** Which of its tasks a device is to take first. */
typedef enum hit_sched_order {
    HIT_SCHED_FIFO,
    HIT_SCHED_RANK, /**< the greatest rank_ns() */
    HIT_SCHED_LACK  /**< the least bytes that its memory lacks */
} hit_sched_order;

typedef struct hit_sched_ops {
    const char *name;
    const char *help;      /**< one line: what it does, and its options */
    hit_sched_order order; /**< where no option queue= says */
    /** Read the options (the text after the colon, without queue= and learn; "" if there
     * are none), make the state. @p view lives as long. @errors HIT_E_ARG a value that it
     * cannot have; HIT_E_NOMEM */
    hit_status (*open)(const char *options, const hit_sched_view *view, void **state);
    void (*close)(void *state);
    /** Tasks became ready because a task ended on device @p by (-1: they were ready from
     * the beginning). Give each of them to a device, or keep it for take().
     * @shape task: @p count, rising @errors HIT_E_NOMEM, and what stops the run */
    hit_status (*ready)(void *state, int by, int count, const int task[]);
    /** A task for a device that could hold one more and has none left; -1: none. May be
     * NULL where ready() gives all tasks. */
    int (*take)(void *state, int device);
    /** The keys of its options, NULL-terminated: others are refused. NULL: it has none */
    const char *const *options;
} hit_sched_ops;

/** The schedulers that come with the library (hit/sched/table.c), and how many. */
HIT_API extern const hit_sched_ops *const hit_scheduler_table[];
HIT_API extern const int hit_scheduler_table_count;

/** A scheduler as a text names it: "dada:alpha=0.5,cp", "mct:queue=rank". */
typedef struct hit_scheduler {
    const hit_sched_ops *ops;
    hit_sched_order order;
    bool learns; /**< the option learn: times of tasks are kept in the store of models */
    char options[128];
} hit_scheduler;

HIT_C_END

#endif
