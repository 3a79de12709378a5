/* SPDX-License-Identifier: MIT
 * Internal: the state of the executor that places launches by a scheduler, and what its
 * drivers do. The engine (hit/sched/engine.h) decides; a driver carries its actions out:
 * in virtual time on a machine that a file describes (virtual.c), or on the devices of
 * the process (real.c). */
#ifndef HIT_SCHEDULED_SCHEDULE_IMPL_H
#define HIT_SCHEDULED_SCHEDULE_IMPL_H

#include "hit/base/pool.h"
#include "hit/base/table.h"
#include "hit/launch/launcher.h"
#include "hit/sched/engine.h"
#include "hit/scheduled/schedule.h"
#include "hit/tile/tile_impl.h"

/** A box of a tile's memory that is one datum of the graph. Those of a piece are
 * disjoint. */
typedef struct hit_scheduled_datum {
    int next;             /**< of the pool */
    int piece;            /**< of the storage */
    hit_storage *storage; /**< NULL: the number is free */
    hit_domain box;
    /** Number of the failure after which its content is not defined, since a launch that
     * was to write it did not; 0: it is. And the same of a launch that was to read it. */
    unsigned not_written;
    unsigned not_read;
} hit_scheduled_datum;

/** A tile argument of a launch. */
typedef struct hit_scheduled_use {
    int arg;
    int datum;
    bool reads;
    bool writes;
    hit_domain tile;
} hit_scheduled_use;

/** A launch that waits in the window. */
typedef struct hit_scheduled_task {
    const hit_kernel *kernel;
    const void *prepared;
    hit_device_set on; /**< where it may run; none: everywhere */
    hit_domain index;
    int work;  /**< of the graph */
    int block; /**< the edge of a cube with as much work */
    uint64_t indices;
    uint64_t operations;
    uint64_t bytes;
    int uses;
    hit_scheduled_use use[HIT_MAX_ARGS];
    ptrdiff_t value[HIT_MAX_ARGS]; /**< offset of a value behind the task; -1: a tile */
} hit_scheduled_task;

struct hit_scheduled;

/** How actions are carried out. All but close() and give_up() may fail by HIT_E_NOMEM. */
typedef struct hit_scheduled_driver {
    /** On the devices of the process: it goes on while the program launches, not only
     * while it waits, and a launch whose data fit no memory is cut by alone(). */
    bool real;
    size_t driven_bytes; /**< of s->driven, which is cleared */
    /** Make s->engine. @errors those of the scheduler's options */
    hit_status (*open)(struct hit_scheduled *s);
    /** The engine goes, and the memory of nodes is given back. */
    void (*close)(struct hit_scheduled *s);
    /** Let the engine know the tasks of the graph. @errors as hit_engine_submit() */
    hit_status (*submit)(struct hit_scheduled *s);
    /** Go on until at most @p left tasks are not over; 0: until nothing goes on.
     * @errors of the engine; HIT_E_INTERNAL the scheduler keeps tasks */
    hit_status (*run)(struct hit_scheduled *s, int left);
    /** Give up what goes on, but for copies back: their contents are nowhere else. */
    void (*give_up)(struct hit_scheduled *s);
    int64_t (*now_ns)(const struct hit_scheduled *s);
    /** The same in seconds, as events of a trace have it; there is a trace. */
    double (*trace_s)(const struct hit_scheduled *s);
    /** The devices on which a launch may run; none: all. @errors HIT_E_ABSENT there is
     * none */
    hit_status (*find_on)(struct hit_scheduled *s, const hit_call *call,
                          const hit_launch_plan *plan, hit_device_set *on);
    /** The work of a task, whose data have @p bytes, and how long it takes: as well as
     * that is known. */
    hit_status (*find_work)(struct hit_scheduled *s, const hit_call *call,
                            const hit_launch_plan *plan, const hit_scheduled_task *task,
                            int64_t bytes, int *work);
    /** A launch that is no task, when nothing else goes on. @errors of the launch */
    hit_status (*alone)(struct hit_scheduled *s, const hit_call *call,
                        hit_launch_plan *plan);
    /** Memory of a node for a datum. @errors HIT_E_NOMEM, HIT_E_LIMIT */
    hit_status (*take)(struct hit_scheduled *s, int datum, int node, void **memory);
    void (*release)(struct hit_scheduled *s, int datum, int node, void *memory);
    /** Give memory back that is kept for data to come. Only of a real one. */
    void (*free_memory)(struct hit_scheduled *s);
    /** Copy a datum from a node to the host, and wait. */
    hit_status (*fetch)(struct hit_scheduled *s, int datum, int node);
} hit_scheduled_driver;

typedef struct hit_scheduled {
    hit_context *context;
    const hit_scheduled_driver *driver;
    void *driven; /**< the driver's */
    hit_machine machine;
    hit_scheduler scheduler;
    hit_graph graph;
    hit_engine *engine; /**< NULL: nothing was launched yet */
    int devices;
    int nodes; /**< memories, the host's first */
    hit_machine_device device[HIT_MACHINE_DEVICES];

    hit_pool data;
    hit_scheduled_datum *datum; /**< data.item: by the number in the graph */
    size_t copy_room;
    void **copy; /**< per datum and node; NULL: there is none. Of the host: never one */
    hit_table by_box;          /**< data by tile, piece and box */
    hit_table by_tile;         /**< and by tile */
    hit_scheduled_task **task; /**< by the number in the graph; NULL: it is over */
    size_t task_room;
    uint64_t forgotten; /**< tasks that were in the graph before */

    hit_status failed; /**< stored, of a kernel or a copy; HIT_OK: told, or none */
    uint64_t failed_task;
    unsigned failures; /**< that were stored */
    char failed_text[1024];
} hit_scheduled;

/** The state of the context's executor, whose driver is @p driver: context->execution.
 * The driver sets s->machine and the devices; hit_scheduled_choose() follows.
 * @errors HIT_E_NOMEM */
hit_status hit_scheduled_create(hit_context *context, const hit_scheduled_driver *driver,
                                const hit_executor *executor, hit_scheduled **scheduled);
/** s->devices and s->nodes, of s->machine. @errors HIT_E_ARG none, or too many */
hit_status hit_scheduled_find_devices(hit_scheduled *s);
/** For an executor's table. */
hit_status hit_scheduled_launch(hit_call *call, hit_status checked);
void hit_scheduled_close(hit_context *context);
/** Read the scheduler @p text, and open it. @errors HIT_E_ARG and the like */
hit_status hit_scheduled_choose(hit_scheduled *s, const char *text);

#endif
