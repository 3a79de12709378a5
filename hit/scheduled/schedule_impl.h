/* SPDX-License-Identifier: MIT
 * Internal: the executor on simulated machines, and the state that its files share. */
#ifndef HIT_SCHEDULED_SCHEDULE_IMPL_H
#define HIT_SCHEDULED_SCHEDULE_IMPL_H

#include "hit/launch/launcher.h"
#include "hit/sched/clock.h"
#include "hit/scheduled/schedule.h"
#include "hit/tile/tile_impl.h"

extern const hit_executor hit_executor_simulated;

enum {
    HIT_SCHEDULED_BUCKETS = 4096
};

/** A box of a tile's memory that is one datum of the graph. Those of a piece are
 * disjoint. */
typedef struct hit_scheduled_datum {
    hit_storage *storage; /**< NULL: the number is free */
    int piece;            /**< of the storage */
    hit_domain box;
    int next;    /**< of its bucket, or of the free numbers; -1 */
    int sibling; /**< the next one of tiles with the same bucket; -1 */
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
    int block; /**< the edge of a cube with as much work */
    uint64_t indices;
    uint64_t operations;
    uint64_t bytes;
    int uses;
    hit_scheduled_use use[HIT_MAX_ARGS];
    ptrdiff_t value[HIT_MAX_ARGS]; /**< offset of a value behind the task; -1: a tile */
} hit_scheduled_task;

typedef struct hit_scheduled {
    hit_context *context;
    hit_machine machine;
    int speeds;     /**< of the machine file; those behind them are guessed */
    char text[256]; /**< what HIT_DEVICES says behind "simulated:" */
    hit_scheduler scheduler;
    hit_simulate_options options;
    bool carries; /**< copies and kernels are carried out */
    hit_graph graph;
    hit_simulation *simulation; /**< NULL: nothing was launched yet */
    int64_t now_ns;             /**< when there is none */
    int devices;
    int nodes; /**< memories, the host's first */
    hit_machine_device device[HIT_MACHINE_DEVICES];

    hit_scheduled_datum *datum; /**< by the number in the graph */
    size_t datum_room;
    void **copy; /**< per datum and node; NULL: there is none. Of the host: never one */
    int bucket[HIT_SCHEDULED_BUCKETS];      /**< by tile, piece and box */
    int tile_bucket[HIT_SCHEDULED_BUCKETS]; /**< by tile */
    int free_datum;                         /**< -1: none */
    hit_scheduled_task **task; /**< by the number in the graph; NULL: it is over */
    size_t task_room;
    uint64_t forgotten; /**< tasks that were in the graph before */

    hit_status failed; /**< stored, of a kernel or a copy; HIT_OK: told, or none */
    uint64_t failed_task;
    unsigned failures; /**< that were stored */
    char failed_text[1024];
} hit_scheduled;

/** Let the launches of @p context run on the machine that @p text, what is behind
 * "simulated:", describes. @param carries false: nothing is carried out
 * @errors HIT_E_ARG, HIT_E_IO of the machine file or its options; more than one process
 */
hit_status hit_simulate_open(hit_context *context, const char *text, bool carries);

#endif
