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
#include "hit/tile/resident.h"
#include "hit/tile/tasks.h"
#include "hit/tile/tile.h"

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

/** Launches that were recorded, to be run together; hit/run/chains.c sets all members. */
typedef struct hit_recorded {
    void *block; /**< NULL: no launch was ever recorded */
    hit_status (*run)(void *block);
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

/** An executor that keeps launches and contents of tiles by itself
 * (hit/scheduled/schedule.c). */
typedef struct hit_keeper {
    void *self; /**< NULL: there is none */
    /** Let its launches run. */
    hit_status (*settle)(void *self);
    /** The same as hit_storage_touch(), before anything else is touched. */
    hit_status (*touch)(void *self, struct hit_storage *storage, int piece,
                        const hit_domain *box, hit_intent intent);
    /** The tile goes. */
    void (*drop)(void *self, struct hit_storage *storage);
    /** Everything goes to the host: another one uses the devices. */
    hit_status (*leave)(void *self);
} hit_keeper;

typedef struct hit_stations {
    int count;
    hit_station *station;
    const struct hit_clock *clock; /**< borrowed: the context's */
    double busy_s;  /**< spent running launches, without waiting for messages */
    uint64_t grown; /**< 1, and how often memory of a tile was replaced by a larger one */
    struct hit_crew *crew; /**< borrowed: the context's */
    hit_tasks *tasks;      /**< NULL: there never were any */
    /** Beside tasks that are not over there is nothing recorded, and the other way round.
     */
    hit_recorded recorded;
    hit_row row;
    hit_keeper keeper;
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
void hit_stations_keep_failure(hit_stations *stations, hit_status status);
/** The stored error, which is cleared. */
hit_status hit_stations_tell_failure(hit_stations *stations);

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

/** The smallest memory of the devices that share launches; SIZE_MAX: they are in place.
 */
size_t hit_stations_least_memory(const hit_stations *stations);
/** Wait until the events of lanes, and of recorded launches, are over.
 * @shape event: HIT_MAX_SOURCES; 0: none
 * @errors those of the work */
hit_status hit_stations_wait(hit_stations *stations, const uint64_t event[]);

/** Who may carry tasks out. */
hit_workers hit_stations_workers(const hit_stations *stations);
/** The tasks, which are made when they are asked for first. @errors HIT_E_NOMEM */
hit_status hit_stations_tasks(hit_stations *stations, hit_tasks **tasks);
/** Do some work of tasks while the caller waits for something else. False: all are over.
 * @p of hit_stations */
bool hit_stations_help(void *of);
/** Run the launches that were recorded. @errors those of their kernels */
hit_status hit_stations_run_recorded(hit_stations *stations);
/** The same, and wait for all tasks. @errors those of their kernels */
hit_status hit_stations_finish_deferred(hit_stations *stations);

/** Wait for all that launches which returned left to the devices. */
hit_status hit_stations_settle(hit_stations *stations);

/** Wait for all lanes of a device. */
hit_status hit_station_wait(hit_stations *stations, int device);

#endif
