/* SPDX-License-Identifier: MIT
 * Internal: the state of the executor that places launches by a scheduler, and what its
 * drivers do. The engine (hit/sched/engine.h) decides; a driver carries its actions out:
 * in virtual time on a machine that a file describes (virtual.c), or on the devices of
 * the process (real.c). */
#ifndef HIT_SCHEDULED_SCHEDULE_IMPL_H
#define HIT_SCHEDULED_SCHEDULE_IMPL_H

#include "hit/base/containers.h"
#include "hit/base/status_impl.h"
#include "hit/launch/launcher.h"
#include "hit/sched/clock.h"
#include "hit/sched/engine.h"
#include "hit/scheduled/schedule.h"
#include "hit/tile/tile_impl.h"

enum {
    HIT_DATUM_HELD = -1,
    HIT_DATUM_BUFFER = -2,
    HIT_SIMULATED_TEXT = 256 /* characters of a machine in HIT_DEVICES, with the end */
};

/** A box that is one datum of the graph: of a tile's memory, where those of a piece are
 * disjoint; of another process, which is held (hit/comm/exchange.h) and only read; or
 * what a launch that waits for its tasks got, or makes, in a buffer of its own. */
typedef struct hit_scheduled_datum {
    int next;             /**< of the pool */
    int piece;            /**< of the storage; HIT_DATUM_HELD, HIT_DATUM_BUFFER: none */
    hit_storage *storage; /**< NULL: the number is free */
    hit_domain box;
    void *held;       /**< of these: where the host has it, borrowed */
    uint64_t content; /**< of what is held hit_held_box.content, as it is known */
    /** Number of the failure after which its content is not defined, since a launch that
     * was to write it did not; 0: it is. And the same of a launch that was to read it. */
    unsigned not_written;
    unsigned not_read;
    bool receiving;   /**< some of it comes on the host, or may: nobody reads that, ... */
    hit_domain there; /**< but this, with all that a task may write */
    bool rim_is_old;  /**< and devices have it not */
} hit_scheduled_datum;

/** A tile argument of a launch. */
typedef struct hit_scheduled_use {
    int arg;
    int datum;
    bool reads;
    bool writes;
    hit_domain written; /**< of the datum, then */
    hit_domain tile;
} hit_scheduled_use;

/** A piece of a launch that waits in the window. */
typedef struct hit_scheduled_task {
    const hit_kernel *kernel;
    const void *prepared;
    const hit_where *where; /**< which of its indices run; NULL: all */
    hit_device_set on;      /**< the devices on which it may run; none: all */
    hit_domain index;
    int work;  /**< of the graph */
    int block; /**< the edge of a cube with as much work */
    uint64_t indices;
    uint64_t operations;
    uint64_t bytes;
    int uses;
    hit_scheduled_use use[HIT_MAX_ARGS];
    ptrdiff_t value[HIT_MAX_ARGS]; /**< offset of a value behind the task; 0: a tile */
} hit_scheduled_task;

struct hit_scheduled;

/** How actions are carried out. All but close() and give_up() may fail by HIT_E_NOMEM. */
typedef struct hit_scheduled_driver {
    /** On the devices of the process: it goes on while the program launches, not only
     * while it waits, and a launch whose data fit no memory is cut. */
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
    /** Look at all that goes on, and wait if nothing of it was over: for a moment, or, if
     * not @p briefly, until something is. @errors as above */
    hit_status (*step)(struct hit_scheduled *s, bool briefly);
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
    /** Launches that were no tasks may have left something on the devices. Only of a real
     * one. */
    void (*arrive)(struct hit_scheduled *s);
    /** Before a launch that is no task: nothing else goes on, and the devices are its
     * own. */
    hit_status (*leave)(struct hit_scheduled *s, const hit_call *call,
                        const hit_launch_plan *plan);
    /** As hit_live_run(). */
    hit_status (*live)(struct hit_scheduled *s, const hit_call *call,
                       hit_launch_plan *plan);
    /** Let the engine know if the devices on which a task may run have less memory for
     * its data than their limits say. Only of a real one. */
    void (*probe)(struct hit_scheduled *s, const hit_scheduled_task *task);
    /** Memory of a node for a datum. @errors HIT_E_NOMEM, HIT_E_LIMIT */
    hit_status (*take)(struct hit_scheduled *s, int datum, int node, void **memory);
    void (*release)(struct hit_scheduled *s, int datum, int node, void *memory);
    /** Give memory back that is kept for data to come. Only of a real one. */
    void (*free_memory)(struct hit_scheduled *s);
    /** Copy elements of a datum from one memory to another, and wait. */
    hit_status (*copy)(struct hit_scheduled *s, int datum, int from, int to,
                       const hit_domain *box);
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
    int64_t data_bytes;         /**< of all of them, once each */
    size_t copy_room;
    void **copy; /**< per datum and node; NULL: there is none. Of the host: never one */
    hit_table by_box;          /**< data by tile, piece and box */
    hit_table by_tile;         /**< and by tile */
    hit_scheduled_task **task; /**< by the number in the graph; NULL: it is over */
    size_t task_room;
    uint64_t forgotten; /**< tasks that were in the graph before */
    int over;           /**< so many of the graph's first ones are */

    /* Of the launch that comes: */
    hit_scheduled_datum *place; /**< where its arguments lie, by piece and use */
    size_t place_room;
    hit_scheduled_task **made;
    size_t made_room;
    int *buffer; /**< its data that are buffers; ~d: datum d, whose content is wanted */
    size_t buffers;
    size_t buffer_room;
    int *receiving; /**< its data that are */
    size_t receives;
    size_t receive_room;

    hit_first failed; /**< of a kernel or a copy; HIT_OK: told, or none */
    uint64_t failed_task;
    unsigned failures; /**< that were stored */
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
/** A member of hit_keeper: a launch is placed if plan->placed. */
hit_status hit_scheduled_place_launch(const hit_call *call, hit_launch_plan *plan,
                                      hit_phase phase, uint64_t *task);
/** For a launch that is no task: what it touches is on the host, and devices with
 * memories of their own are empty if it runs there. On several processes it runs whatever
 * failed before, unless it reads that: the peers wait for it. */
hit_status hit_scheduled_give_way(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan);
void hit_scheduled_close(hit_context *context);
/** Read the scheduler @p text, and open it. @errors HIT_E_ARG and the like */
hit_status hit_scheduled_choose(hit_scheduled *s, const char *text);

/* data.c: the data of tasks, and their copies in memories. */

void hit_scheduled_data_close(hit_scheduled *s);
/** The datum that is exactly this box; -1: there is none. */
int hit_scheduled_data_find(const hit_scheduled *s, const hit_storage *storage, int piece,
                            const hit_domain *box);
/** The first datum behind datum @p before (-1: of all) that has elements in common with
 * the box, of any piece for @p piece -1, and with any box for NULL; of all tiles for @p
 * storage NULL; -1: none. */
int hit_scheduled_data_next(const hit_scheduled *s, int before,
                            const hit_storage *storage, int piece, const hit_domain *box);
/** A new datum, whose content the host's memory has; of @p like its storage, piece, box,
 * and what is held count. @errors HIT_E_NOMEM */
hit_status hit_scheduled_data_add(hit_scheduled *s, const hit_scheduled_datum *like,
                                  int *datum);
/** Its number is free, and copies on nodes are. No task uses it. */
void hit_scheduled_data_forget(hit_scheduled *s, int datum);

/** Where the elements of @p datum are on @p node; view->data is NULL where there is no
 * copy. */
hit_view hit_scheduled_data_view(const hit_scheduled *s, int datum, int node);
/** The elements of @p datum that tasks may write: around what a process owns lie those of
 * others, of which the host always has what came last. */
hit_domain hit_scheduled_data_own(const hit_scheduled *s, int datum);
/** As hit_scheduled_data_view(), and memory is made for it. @errors HIT_E_NOMEM,
 * HIT_E_LIMIT */
hit_status hit_scheduled_data_make(hit_scheduled *s, int datum, int node, hit_view *view);
/** Free the copy on a node. */
void hit_scheduled_data_drop(hit_scheduled *s, int datum, int node);
/** Where a copy of all elements from a node to another one reads and writes, for which
 * memory is made; source->data is NULL where the content is not defined, so that nothing
 * is to be copied. @errors those of memory; HIT_E_INTERNAL there is no copy to read */
hit_status hit_scheduled_data_prepare(hit_scheduled *s, int datum, int from, int to,
                                      hit_view *source, hit_view *target);

/* task.c: a launch as a task. */

/** Why the pieces of the launch cannot be tasks, each of which has one box of each tile;
 * NULL: they can, when its messages have come. */
const char *hit_scheduled_task_refused(const hit_launch_plan *plan);
/** The task of the indices @p index, of piece number @p piece of a launch, with copies of
 * its values; its data are not known yet.
 * @owner *task is the caller's: free() @errors HIT_E_NOMEM; HIT_E_ABSENT there is no
 * device on which it may run */
hit_status hit_scheduled_task_make(const hit_call *call, const hit_launch_plan *plan,
                                   const hit_domain *index, int piece,
                                   hit_scheduled_task **task);
/** The edge of a block with as much work as so many indices of a piece of a launch. Of a
 * kernel with a sum, such as a product: the cube root of what is multiplied. Of others:
 * the median of the edges of all boxes, as some of these are thin. */
int hit_scheduled_block(const hit_call *call, const hit_launch_plan *plan, int piece,
                        uint64_t indices);
/** What its kernel gets on @p device, with its data in the memory @p node.
 * @errors those of memory; HIT_E_INTERNAL what it reads is not there */
hit_status hit_scheduled_task_begin(hit_scheduled *s, const hit_scheduled_task *task,
                                    int node, const hit_device *device, hit_run *run);
/** Is the datum one of those of its first @p uses uses? */
static inline bool hit_scheduled_task_has(const hit_scheduled_task *task, int uses,
                                          int datum)
{
    int u = 0;

    while (u < uses && task->use[u].datum != datum) {
        u++;
    }
    return u < uses;
}
/** What it adds to, by argument, if its kernel reduces. @shape need: HIT_MAX_ARGS */
void hit_scheduled_task_need(const hit_scheduled_task *task, hit_domain need[]);
/** On several processes @p box of the datum is lost (hit/tile/tile_impl.h), by @p
 * failure.
 */
void hit_scheduled_datum_lose(const hit_scheduled *s, int datum, const hit_domain *box,
                              const hit_first *failure);
/** Does an access to the datum come after a task that failed, or was cancelled, which is
 * not told yet? */
static inline bool hit_scheduled_datum_fails(const hit_scheduled *s, int datum,
                                             bool writes)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    if (s->failed.status == HIT_OK) return false;
    return one->not_written == s->failures || (writes && one->not_read == s->failures);
}
/** The elements of a copy to @p node: what a task may write of it goes home, and what is
 * being received does not go to devices. */
hit_domain hit_scheduled_datum_copied(hit_scheduled *s, int datum, int node);
/** The same of one of a task's data. None of them does where no failure is stored. */
bool hit_scheduled_task_is_cancelled(const hit_scheduled *s,
                                     const hit_scheduled_task *task);
/** Task @p number of the graph is over, and goes. @param done false: it was cancelled, so
 * that those behind it are, too, until that is told @param status of its kernel: if not
 * HIT_OK, the last failure of this thread */
void hit_scheduled_task_end(hit_scheduled *s, int number, bool done, hit_status status);
/** Let those who wait for tasks by number know which are over. */
void hit_scheduled_note_over(const hit_scheduled *s);
/** The content of a datum is lost, by the failure that was just made. */
void hit_scheduled_copy_failed(hit_scheduled *s, int datum, hit_status status);

/* window.c: the window of launches that wait, and data that come home. */

/** Let there be an engine: the first one, or one after a failure.
 * @errors those of the scheduler's options; HIT_E_NOMEM */
static inline hit_status hit_scheduled_begin(hit_scheduled *s)
{
    return s->engine != NULL ? HIT_OK : s->driver->open(s);
}
/** Give back the engine, the tasks and the data, so that there can be a new one. */
void hit_scheduled_clear(hit_scheduled *s);
/** Nothing goes on: forget all tasks, and let s->scheduler place those that come.
 * @errors as hit_engine_restart() */
hit_status hit_scheduled_restart(hit_scheduled *s);
/** Let all launches run. @errors of the engine, after which launches that did not run are
 * lost; those of kernels and copies are stored for hit_scheduled_tell() */
hit_status hit_scheduled_drain(hit_scheduled *s);
/** Return the stored failure, that of the first launch in program order, and forget it.
 * All launches have run. */
hit_status hit_scheduled_tell(hit_scheduled *s);
/** A launch was added: let some run if there are many, or if the driver goes on.
 * @errors as hit_scheduled_drain() */
hit_status hit_scheduled_make_way(hit_scheduled *s);
/** @p status, a failure after which the engine or its graph is of no use: what is right
 * on some node goes home, and launches that did not run are lost, which it says. */
hit_status hit_scheduled_keep_going(hit_scheduled *s, hit_status status);

/** Which data, and what becomes of them. */
typedef struct hit_scheduled_wish {
    const hit_storage *storage; /**< NULL: those of all tiles */
    int piece;                  /**< -1: all */
    const hit_domain *box;      /**< NULL: all */
    bool content;               /**< is it wanted? */
    bool only;                  /**< no other memory may have it then */
    bool forget;                /**< they are no data any more */
} hit_scheduled_wish;

/** Let all launches run, and data come home if there are any. Tells the stored failure if
 * it concerns one of them: a task that was to write it did not; or, where no other memory
 * may have it then, one that was to read it did not.
 * @errors as hit_scheduled_drain() and hit_scheduled_tell() */
hit_status hit_scheduled_home(hit_scheduled *s, const hit_scheduled_wish *w);
/** A member of hit_keeper: before the host's memory of elements of a tile is written that
 * others own: no task uses them. @errors as hit_scheduled_drain() */
hit_status hit_scheduled_await(void *scheduled, hit_storage *storage, int piece,
                               const hit_domain *box);
/** The same: it was written: let the devices that have them have them anew. @errors as
 * above, and of a copy, after which no device has them */
hit_status hit_scheduled_renew(void *scheduled, hit_storage *storage, int piece,
                               const hit_domain *box);
/** Let tasks of the next phase of a launch have what it received meanwhile.
 * @errors as hit_scheduled_renew() */
hit_status hit_scheduled_renew_received(hit_scheduled *s);
/** The same, mostly of a launch that received nothing. */
static inline hit_status hit_scheduled_end_receiving(hit_scheduled *s)
{
    return s->receives == 0 ? HIT_OK : hit_scheduled_renew_received(s);
}
/** No task that was added uses datum @p datum any more; or, for @p writes false, none
 * writes it. @errors as hit_scheduled_drain() */
hit_status hit_scheduled_reach(hit_scheduled *s, int datum, bool writes);
/** The tasks that use a buffer are over, and the host has its content if it is wanted:
 * buffer as hit_scheduled.buffer. @errors as above */
hit_status hit_scheduled_await_buffer(hit_scheduled *s, int buffer);
/** Its memory on devices is free, and it is no datum any more: no task uses it.
 * @errors as above */
hit_status hit_scheduled_retire(hit_scheduled *s, int datum);
/** The same: wait until the tasks up to number @p task are over, from 1 and in program
 * order. @errors as above */
hit_status hit_scheduled_reach_task(void *scheduled, uint64_t task);
/** While the caller waits for messages: go on, for a moment. False: nothing goes on.
 * @p of hit_scheduled */
bool hit_scheduled_help(void *of);
/** All data come home, and the memories of devices are free. @errors as above */
hit_status hit_scheduled_leave(hit_scheduled *s);

/* submit.c: launches become tasks. */

/** Let the pieces of a launch, for which hit_scheduled_task_refused() is NULL, or the
 * boxes of a phase, wait in the window. There is an engine. *taken is false where it must
 * be cut to fit a memory.
 * @errors HIT_E_LIMIT, HIT_E_ARG no device can run it; HIT_E_NOMEM; those of
 * hit_scheduled_drain() */
hit_status hit_scheduled_submit(hit_scheduled *s, const hit_call *call,
                                hit_launch_plan *plan, hit_phase phase, bool *taken);
/** After that, whatever came of it: wait for the tasks of a launch that use buffers of
 * its own, and let the host have what they made there. @errors theirs; those of
 * hit_scheduled_drain() */
hit_status hit_scheduled_collect(hit_scheduled *s);
/** What hit_live_run() lets go on and be copied for a launch, without elements: it is
 * only planned. @errors of the scheduler */
hit_status hit_scheduled_foresee(const hit_call *call, hit_launch_plan *plan);
/** How long a kernel takes of which nothing is known: it moves 8 bytes in a nanosecond.
 */
static inline int64_t hit_scheduled_guessed_ns(int64_t bytes)
{
    return bytes / 8 + 1;
}

/* real.c: launches on the devices of the process, of which some have a memory of their
 * own. */

/* at_need.c */

/** Let launches of @p context, which has devices with memories of their own, be placed
 * while narrow ones follow each other. Costs nothing before. */
void hit_scheduled_be_there(hit_context *context);
/** The context has no scheduler at need any more. Nothing happens where there was none.
 * @errors of launches */
hit_status hit_scheduled_end_need(hit_context *context);
/** Make the state of such a scheduler. @errors HIT_E_NOMEM, HIT_E_DEVICE */
hit_status hit_scheduled_open_at_need(hit_context *context);

/** Has the process a device with a memory of its own? */
bool hit_scheduled_can_real(const hit_context *context);
/** Let @p scheduler place the launches of @p context, which were carried out as without
 * one so far. @errors HIT_E_ARG they cannot be: see hit_schedule() */
hit_status hit_scheduled_open_real(hit_context *context, const char *scheduler);

/* virtual.c: launches on a simulated machine, in virtual time. */

/** Let the launches of @p context run on context->simulated, whose machine it takes;
 * hit_schedule() follows. @param carries false: nothing is carried out
 * @errors HIT_E_ARG more than one process; HIT_E_NOMEM */
hit_status hit_scheduled_open_virtual(hit_context *context, bool carries);

/* virtual_text.c */

/** A machine that HIT_DEVICES describes. */
typedef struct hit_virtual_machine {
    char text[HIT_SIMULATED_TEXT]; /**< what stands behind "simulated:" */
    hit_simulate_options options;
    hit_machine machine;
} hit_virtual_machine;

/** Read the machine and the options behind "simulated:".
 * @owner *made: hit_virtual_machine_destroy() @errors HIT_E_ARG, HIT_E_IO of the file;
 * HIT_E_NOMEM */
hit_status hit_virtual_machine_read(const char *text, hit_virtual_machine **made);
/** Accepts NULL in *made; sets it to NULL. */
void hit_virtual_machine_destroy(hit_virtual_machine **made);

#endif
