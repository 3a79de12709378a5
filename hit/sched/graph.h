/* SPDX-License-Identifier: MIT
 * Tasks in program order, what each of them reads and writes, and who must come before
 * whom: a task that reads comes after the last writer of the datum, one that writes also
 * after those that read it since. A pure value: no time, no devices. */
#ifndef HIT_SCHED_GRAPH_H
#define HIT_SCHED_GRAPH_H

#include "hit/base/device_set.h"
#include "hit/base/status.h"

#include <stdbool.h>

HIT_C_BEGIN

/** How a task uses a datum; both for what it changes. */
typedef struct hit_graph_access {
    int datum;
    bool reads;
    bool writes;
} hit_graph_access;

/** What a task does: a kernel on blocks of one size. Tasks of the same work take the
 * same time on the same kind of device. */
typedef struct hit_graph_work {
    char kernel[32];
    int block;         /**< elements along an edge of the block */
    hit_device_set on; /**< the devices that may do it; none: all that can */
} hit_graph_work;

typedef struct hit_graph_datum {
    int64_t bytes;
    int last_writer;  /**< -1: none yet */
    int first_reader; /**< since the last writer; into hit_graph.link, -1: none */
} hit_graph_datum;

enum {
    HIT_GRAPH_ROW = -1 /* no column: the blocks are in one row */
};

typedef struct hit_graph_task {
    int work;
    int row; /**< of the block it is there for: where a layout over devices places it */
    int column; /**< or HIT_GRAPH_ROW */
    int accesses;
    int first_access; /**< into hit_graph.access */
    int first_next;   /**< of the tasks that come after it; into hit_graph.link, -1 */
    int befores;      /**< how many tasks must come before it */
    int mark;         /**< of the edges: a pair has one only */
} hit_graph_task;

/** One member of a list. */
typedef struct hit_graph_link {
    int task;
    int next;   /**< -1: the last one */
    int before; /**< of an edge: the task that `task` comes after; -1: it is none */
} hit_graph_link;

/** All zero: empty. Read it; hit_graph_...() change it. */
typedef struct hit_graph {
    int works, data, tasks, accesses, links;
    int edges;
    size_t work_room, datum_room, task_room, access_room, link_room;
    hit_graph_work *work;
    hit_graph_datum *datum;
    hit_graph_task *task; /**< in program order, which is an order of their edges */
    hit_graph_access *access;
    hit_graph_link *link; /**< those of a task behind those of tasks before it */
} hit_graph;

/** Free what it has; it is empty then. */
HIT_API void hit_graph_clear(hit_graph *graph);
/** The number of a work, which is new or known. @param on the devices that may do it;
 * NULL: all that can @errors HIT_E_ARG a name that is too long or empty, a block < 1;
 * HIT_E_NOMEM */
HIT_API hit_status hit_graph_add_work(hit_graph *graph, const char *kernel, int block,
                                      const hit_device_set *on, int *work);
/** @errors HIT_E_ARG bytes < 0; HIT_E_NOMEM */
HIT_API hit_status hit_graph_add_datum(hit_graph *graph, int64_t bytes, int *datum);
/** Another size for a datum that no task uses. */
HIT_API void hit_graph_set_bytes(hit_graph *graph, int datum, int64_t bytes);
/** A task of @p work after all that were added before. @param what work, row and column
 * of it; the rest is not looked at
 * @errors HIT_E_ARG no such work or datum; HIT_E_NOMEM after which the graph can only be
 * cleared */
HIT_API hit_status hit_graph_add_task(hit_graph *graph, const hit_graph_task *what,
                                      int accesses, const hit_graph_access access[]);
/** Forget the tasks: those that come are after none of them. Works and data stay. */
HIT_API void hit_graph_forget_tasks(hit_graph *graph);
/** The longest way from each task to the end, with the task itself; of those from task
 * number @p first to @p end - 1, as if there were no others behind them.
 * @shape work_ns: one per work; rank_ns: one per task */
HIT_API void hit_graph_ranks(const hit_graph *graph, int first, int end,
                             const int64_t work_ns[], int64_t rank_ns[]);

HIT_C_END

#endif
