/* SPDX-License-Identifier: MIT
 * Internal: the devices of a context, with what they hold of tiles and what they still
 * have to do for launches that returned. */
#ifndef HIT_TILE_STATION_H
#define HIT_TILE_STATION_H

#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/data/fence.h"
#include "hit/device/device.h"
#include "hit/stream/stream.h"
#include "hit/tile/tile.h"
#include "hit/tile/tile_impl.h"

#include <stddef.h>

/* tasks.c: launches that returned before they ran, as tasks for workers that work on the
 * tiles' own memory (docs/scheduling.md): the threads of the device of the process, or,
 * where it has several, its devices, each with all its threads. The calling thread adds
 * tasks and is one of the workers whenever it waits; all functions are for it alone. */

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
    HIT_TASKS_WINDOW = 4096 /* tasks that are not over */
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
    hit_run *run;             /**< of the slots, as many as were asked for */
    int writes;               /**< 0 on one process, where nothing is lost */
    hit_task_write *write;
    void *value; /**< for hit_call_keep_values() */
    size_t values_bytes;
} hit_task;

/** How much room the description of a task takes. */
typedef struct hit_task_room {
    int slots;
    int writes;
    size_t values_bytes;
} hit_task_room;

/** On @p stations, which have the number up to which all are over; borrowed.
 * @owner *tasks: hit_tasks_destroy() @errors HIT_E_NOMEM */
hit_status hit_tasks_create(struct hit_stations *stations, hit_tasks **tasks);
/** Carries out what is left. Accepts NULL in *tasks; sets it to NULL. */
void hit_tasks_destroy(hit_tasks **tasks);

/** Begin a task: the memory to describe it in, and the number by which logs may name it
 * from now on. Where the window is full, the caller works until a quarter of it is free.
 * *task is NULL where there is no memory.
 * @errors those of tasks that failed: the new one is not to be added */
hit_status hit_tasks_begin(hit_tasks *tasks, const hit_task_room *room, hit_task **task,
                           uint64_t *number);
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

/* station.c */

/** A device of the process, what launches left on it, and what they did. One thread at a
 * time uses it. */
typedef struct hit_station {
    hit_device *device;
    bool in_place;
    hit_residents residents; /**< with the bytes that launches moved */
    bool in_flight;          /**< it may still be at work for launches that returned */
    bool arena_in_use;       /**< in flight, with superblocks in the arena */
    hit_tail tail;           /**< of streamed launches */
    /** Logs of streamed launches where the tile's own is not to be used: of temporary
     * pieces, and of launches on several devices at the same time. Made at first use. */
    hit_fence *log[HIT_MAX_ARGS];
    double run_s; /**< of the last launch on several devices */
    uint64_t superblocks;
    uint64_t replans;
} hit_station;

/** Launches that were recorded, to be run together; hit/run/chains.c sets all members,
 * a dry run those that it needs. */
typedef struct hit_recorded {
    void *block; /**< NULL: no launch was ever recorded */
    hit_status (*run)(void *block);
    /** Does something that waits use the tile by this handle, which is to change? NULL:
     * nothing does. */
    bool (*holds)(const void *block, const struct hit_tile *tile);
    /** A storage goes, on which nothing recorded waits any more. */
    void (*forget)(void *block, const struct hit_storage *storage);
    void (*destroy)(void *block);
    uint64_t asked; /**< the number of the last one */
} hit_recorded;

/** Launches of which each touches what the one before it wrote, in a row: nothing can run
 * beside them. hit/run/submit.c sets all members. */
typedef struct hit_row {
    uint64_t storage; /**< number of what the last one wrote, or of its first such tile */
    int piece;
    hit_domain written;
    int launches;
} hit_row;

/** Where messages are under way while indices run, these run in two phases. */
typedef enum hit_phase {
    HIT_PHASE_ALL,
    HIT_PHASE_INNER, /**< those that need nothing that comes */
    HIT_PHASE_BORDER /**< the others, and of a part that had no inner ones all */
} hit_phase;

/** An executor that keeps launches and contents of tiles by itself
 * (hit/scheduled/schedule.c). */
struct hit_call;
struct hit_launch_plan;

typedef struct hit_keeper {
    void *self; /**< NULL: there is none, or none now */
    /** Let its launches run. */
    hit_status (*settle)(void *self);
    /** The same as hit_storage_touch(), before anything else is touched. */
    hit_status (*touch)(void *self, struct hit_storage *storage, int piece,
                        const hit_domain *box, hit_intent intent);
    /** The first half of it, where elements that others own are written, ... */
    hit_status (*await)(void *self, struct hit_storage *storage, int piece,
                        const hit_domain *box);
    /** ... and then the other one, when they are written. */
    hit_status (*renew)(void *self, struct hit_storage *storage, int piece,
                        const hit_domain *box);
    /** The tile goes. */
    void (*drop)(void *self, struct hit_storage *storage);
    /** Everything goes to the host: another one uses the devices. */
    hit_status (*leave)(void *self);
    /** Let it carry out a launch whose messages have come, or of its phases first the
     * inner one while they are under way, by tasks of which the last has number *task,
     * from 1; 0: it does not, and all that the launch touches is on the host. NULL: there
     * is none. */
    hit_status (*place)(const struct hit_call *call, struct hit_launch_plan *plan,
                        hit_phase phase, uint64_t *task);
    /** Wait for the tasks up to number @p task. Their failures are told later. */
    hit_status (*reach)(void *self, uint64_t task);
    /** It is there while narrow launches follow each other, and goes before another
     * launch: place() says when it comes and goes. */
    bool at_need;
} hit_keeper;

/** Narrow launches behind each other, for a keeper that comes at need. */
typedef struct hit_narrow {
    uint64_t launches; /**< that ran without it; 0 after a launch of another kind */
    uint64_t moved;    /**< bytes that devices had moved when the first of them began */
    uint64_t touched;  /**< bytes that those before the last one touched */
    double each;       /**< bytes of one of them, when the keeper came, ... */
    uint64_t then;     /**< which devices had moved, ... */
    uint64_t held;     /**< or held, ... */
    uint64_t tasks;    /**< and tasks that there had been */
    unsigned doubts;   /**< so often it moved more than they would have */
} hit_narrow;

typedef struct hit_stations {
    int count;
    hit_station *station;          /**< in the same block of memory */
    const struct hit_clock *clock; /**< borrowed: the context's */
    double busy_s;  /**< spent running launches, without waiting for messages */
    bool in_place;  /**< all devices that share launches are */
    bool lost;      /**< elements of a tile were, some day */
    uint64_t grown; /**< 1, and how often memory of a tile was replaced by a larger one */
    struct hit_crew *crew; /**< borrowed: the context's */
    hit_tasks *tasks;      /**< NULL: there never were any */
    /** Beside tasks that are not over there is nothing recorded, and the other way round.
     */
    hit_recorded recorded;
    hit_row row;
    hit_keeper keeper;
    hit_narrow narrow;
    /** Per source of events (hit/data/fence.h): the last one that is over. Sources are
     * the lanes of each device, then the tasks, then the recorded launches. */
    uint64_t over[HIT_MAX_SOURCES];
    uint64_t logged[HIT_MAX_SOURCES]; /**< the last one that a fence has */
    hit_first failed; /**< stored error of work that has no caller; see below */
} hit_stations;

/** One per device of @p context, which must be open. @errors HIT_E_NOMEM */
hit_status hit_stations_create(hit_context *context, hit_stations **stations);
/** What tiles that outlive the context have on the devices is dropped. Accepts NULL in
 * *stations; sets it to NULL. */
void hit_stations_destroy(hit_stations **stations);

/** Store the error of a function that returns nothing: the next call that returns a
 * status and waits for work reports it. Only the first is kept. */
static inline void hit_stations_keep_failure(hit_stations *stations, hit_status status)
{
    hit_first_keep(&stations->failed, status);
}
/** The stored error, which is cleared. */
static inline hit_status hit_stations_tell_failure(hit_stations *stations)
{
    return hit_first_tell(&stations->failed);
}

static inline int hit_source_of_lane(int device, hit_lane lane)
{
    return device * HIT_LANES + (int)lane;
}

static inline int hit_source_of_tasks(const hit_stations *stations)
{
    return stations->count * HIT_LANES;
}

static inline int hit_source_of_recorded(const hit_stations *stations)
{
    return stations->count * HIT_LANES + 1;
}

/** Is all done by one device in the tiles' own memory? */
static inline bool hit_stations_in_place(const hit_stations *stations)
{
    return stations->count == 1 && stations->station[0].in_place;
}

/* workers.c: who carries tasks out: the threads of the device of the process, each a task
 * of its own, or, where it has several, its devices, each with all its threads. Worker 0
 * is the caller. */

/** How many tasks can they carry out at the same time? */
int hit_workers_count(const hit_stations *stations);
/** Can they carry out tasks? */
bool hit_workers_can(const hit_stations *stations);
/** Call @p work once on each worker but the caller, and return at once; stop waits until
 * all have returned. */
void hit_workers_start(const hit_stations *stations, hit_work *work, void *of);
void hit_workers_stop(const hit_stations *stations);
/** Run a task on the calling worker. */
hit_status hit_workers_run(const hit_stations *stations, int worker,
                           const hit_kernel *kernel, const hit_run *run);

/* station.c */

/** The smallest memory of the devices that share launches; SIZE_MAX: they are in place.
 */
size_t hit_stations_least_memory(const hit_stations *stations);
/** Wait until the events of lanes, and of recorded launches, are over.
 * @shape event: HIT_MAX_SOURCES; 0: none
 * @errors those of the work */
hit_status hit_stations_wait(hit_stations *stations, const uint64_t event[]);

/** Do some work of tasks while the caller waits for something else. False: all are over.
 * @p of hit_stations */
bool hit_stations_help(void *of);
/** Run the launches that were recorded. @errors those of their kernels */
hit_status hit_stations_run_block(hit_stations *stations);
/** The same where there may never have been any. */
static inline hit_status hit_stations_run_recorded(hit_stations *stations)
{
    return stations->recorded.block != NULL ? hit_stations_run_block(stations) : HIT_OK;
}
/** Wait for all tasks; what a keeper has comes home. @errors those of their kernels */
hit_status hit_stations_end_tasks(hit_stations *stations);
/** Run what was recorded, and wait for all tasks. @errors those of their kernels */
hit_status hit_stations_finish_deferred(hit_stations *stations);

/** Wait for all that launches which returned left to the devices. */
hit_status hit_stations_settle(hit_stations *stations);

/** Wait for all lanes of a device. */
hit_status hit_station_wait(hit_stations *stations, int device);

#endif
