/* SPDX-License-Identifier: MIT
 * Where copies of data are: which memory has a valid one, which one is on its way, what
 * is pinned, and what has to go when a memory is full. Node 0 is the host's memory and
 * has no limit. A pure value: it moves nothing. */
#ifndef HIT_SCHED_PLACE_H
#define HIT_SCHED_PLACE_H

#include "hit/sched/graph.h"

/** One datum in one memory. */
typedef struct hit_place_copy {
    bool valid;
    bool coming;     /**< asked for; it becomes valid */
    bool has_room;   /**< memory is reserved for it */
    int64_t bringer; /**< number of the copy that brings it; -1: none, or not asked yet */
    int pins;        /**< tasks that are staged or run, and copies that are being sent */
    int wanted;      /**< tasks in queues of this memory's devices that read it */
    int64_t staged;  /**< when a task was staged that uses it: a number that rises */
    int first_wait;  /**< who waits for it to come, in order; -1 */
    int last_wait;
} hit_place_copy;

typedef struct hit_place {
    int nodes;
    int data;
    size_t room;
    hit_place_copy *copy; /**< datum by datum */
    const int64_t *limit; /**< bytes per node; borrowed */
    int64_t *used;        /**< bytes per node */
    int64_t stagings;
    int *dead;   /**< per datum: staged tasks that overwrite it: no other one needs it */
    int *victim; /**< data that hit_place_reserve() found, in the order of their going */
    int victims;
} hit_place;

/** @param limit one per node, of node 0 not looked at; borrowed
 * @owner *place is the caller's: hit_place_clear() @errors HIT_E_NOMEM */
hit_status hit_place_open(int nodes, const int64_t limit[], hit_place *place);
void hit_place_clear(hit_place *place);
/** Know the data of @p graph that were added since; they are valid on the host only.
 * @errors HIT_E_NOMEM */
hit_status hit_place_update(hit_place *place, const hit_graph *graph);

hit_place_copy *hit_place_at(const hit_place *place, int datum, int node);
/** The lowest node but the host that has a valid copy; 0: none. */
int hit_place_source(const hit_place *place, int datum);
/** Is the copy on @p node valid and needed, and none elsewhere? */
bool hit_place_is_only(const hit_place *place, int datum, int node);
/** Reserve and pin all data of @p task on @p node, or do nothing and answer false. What
 * had to go for it is in place->victim; its copies have no room any more, and those that
 * were the only ones have to be written back: hit_place_is_only(). */
bool hit_place_reserve(hit_place *place, const hit_graph *graph, int task, int node);
/** @p task is over: its data are no longer pinned, and those that it wrote are valid on
 * @p node only. @param written false: it was not run, and wrote none */
void hit_place_end(hit_place *place, const hit_graph *graph, int task, int node,
                   bool written);
/** The host's memory has the only copy of @p datum from now on. */
void hit_place_take_back(hit_place *place, const hit_graph *graph, int datum);
/** Bytes of all data of @p task. */
int64_t hit_place_footprint(const hit_graph *graph, int task);

#endif
