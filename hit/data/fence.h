/* SPDX-License-Identifier: MIT
 * Internal: the dependency log of a memory: which asynchronous accesses to which boxes of
 * elements are not over yet. A caller that submits work on elements asks hit_fence_find()
 * for the events that must be over before, orders its work behind them, and logs it with
 * hit_fence_add(). The same log gives the edges of a task graph.
 *
 * Accesses end by events. Event n of a source (a lane of a device) is over when event n +
 * 1 of that source is; the owner of the sources keeps the number of the last event that
 * is over, per source. One source may be loose: its events are tasks, which end in any
 * order, and the owner's number says that all up to it are over.
 *
 * @paper [Agullo2015] section 2.1 (StarPU's data handles: last writer and readers), here
 * per box of elements instead of per whole datum */
#ifndef HIT_DATA_FENCE_H
#define HIT_DATA_FENCE_H

#include "hit/base/containers.h"
#include "hit/base/status.h"
#include "hit/data/domain.h"

#include <stdbool.h>
#include <stdint.h>

/* loose.c: lists of events that end in any order, in one pool of memory that is used
 * again (hit/data/fence.h). */

/** One event, in a pool of them. */
typedef struct hit_loose_link {
    int next; /**< into the pool; -1: the last one */
    uint64_t event;
} hit_loose_link;

/** Empty: first -1. */
typedef struct hit_loose_list {
    int first;
    int count;
    int trims; /**< with more than so many, those that are over are looked for */
} hit_loose_list;

/** What a visit does with an event; a status other than HIT_OK ends the visit. */
typedef hit_status hit_loose_visitor(void *of, uint64_t event);

/** Add an event; of a list that has grown to twice its length, drop those up to @p over.
 * hit_pool_reserve() came before. */
void hit_loose_add(hit_pool *pool, hit_loose_list *list, uint64_t event, uint64_t over);
/** Add a copy of all events of @p from; as above. */
void hit_loose_copy(hit_pool *pool, const hit_loose_list *from, hit_loose_list *list);
/** Drop the events up to @p over. */
void hit_loose_drop(hit_pool *pool, hit_loose_list *list, uint64_t over);
/** Move all events of @p from to @p list. */
void hit_loose_move(hit_pool *pool, hit_loose_list *from, hit_loose_list *list);
/** Visit the events after @p over. */
hit_status hit_loose_visit(const hit_pool *pool, const hit_loose_list *list,
                           uint64_t over, hit_loose_visitor *visit, void *of);
/** The greatest of them; 0: none. */
uint64_t hit_loose_last(const hit_pool *pool, const hit_loose_list *list, uint64_t over);

typedef struct hit_fence hit_fence;

/** Empty.
 * @param loose the source whose events end in any order; -1: none
 * @param over  of each of the @p sources the last event that is over; read at each call
 * @owner  *fence: hit_fence_destroy(), NULL on failure; over is borrowed
 * @errors HIT_E_NOMEM */
hit_status hit_fence_create(int sources, int loose, const uint64_t over[],
                            hit_fence **fence);
/** Accepts NULL in *fence; sets it to NULL. */
void hit_fence_destroy(hit_fence **fence);

/** The events that must be over before the elements @p box of piece @p piece may be read,
 * or be read and written (@p writes): the writes to them, and for a write the reads, too.
 * Returns whether there are any; NULL has none, and leaves event as it is. O(1) for a box
 * that was logged as it is. @p box NULL, here and below: all elements of all pieces.
 * @shape event: one number per source; 0: none */
bool hit_fence_find(const hit_fence *fence, int piece, const hit_domain *box, bool writes,
                    uint64_t event[]);

/** Visit the events of the loose source that must be over before, one by one, some of
 * them more than once. A NULL fence has none. @errors those of the visitor */
hit_status hit_fence_visit(const hit_fence *fence, int piece, const hit_domain *box,
                           bool writes, hit_loose_visitor *visit, void *of);

/** Log that elements are read, or written and perhaps read, until event @p event >= 1 of
 * source @p source. What hit_fence_find() said comes before it: a write takes the place
 * of the accesses to its elements that were logged earlier. Nothing is allocated for a
 * set of boxes that was logged before.
 * @errors HIT_E_NOMEM: the access is not logged; wait for it */
hit_status hit_fence_add(hit_fence *fence, int piece, const hit_domain *box, bool writes,
                         int source, uint64_t event);

/** An event of the loose source, and who is told of those that come before it. */
typedef struct hit_loose_event {
    uint64_t number;
    hit_loose_visitor *visit;
    void *of;
} hit_loose_event;

/** hit_fence_visit(), then hit_fence_add() of an event of the loose source, with one
 * look-up. @errors of both: those that were visited may be forgotten, wait for them */
hit_status hit_fence_follow(hit_fence *fence, int piece, const hit_domain *box,
                            bool writes, const hit_loose_event *event);

/** The same of a read beside which more is written: boxes of the log that are at most
 * twice as large count as read as a whole. None of them is cut, so that the next write of
 * one knows it; what waits for the read may be more than what is read. */
hit_status hit_fence_follow_blocks(hit_fence *fence, int piece, const hit_domain *box,
                                   const hit_loose_event *event);

/** Forget all accesses, which are over: the log is for another memory now. */
void hit_fence_clear(hit_fence *fence);
/** Let the boxes that @p source wrote until @p event, and nothing has accessed since,
 * count as all elements: a log of many boxes stays short, and waits for a little more. */
void hit_fence_fold(hit_fence *fence, int source, uint64_t event);

/** Are there so many boxes with events that are not over that they will soon become one?
 * A box cannot have the tasks of thousands, so before tasks are added to a full log its
 * owner waits for those that are there. */
bool hit_fence_is_full(hit_fence *fence);

/** How many boxes are kept apart now, and how often boxes had to be compared one by one.
 */
int hit_fence_boxes(const hit_fence *fence);
uint64_t hit_fence_scans(const hit_fence *fence);

/* outline.c: from where to where boxes reach, in a form that is compared with many at a
 * time: a filter before an exact comparison. */

enum {
    HIT_OUTLINES = 16,    /**< boxes that are compared at a time */
    HIT_OUTLINE_DIMS = 3, /**< dimensions in which they are; the others seldom decide */
};

/** Bounds beyond 32 bits count as the least or the greatest number. */
typedef struct hit_outline {
    int32_t begin[HIT_OUTLINE_DIMS];
    int32_t end[HIT_OUTLINE_DIMS];
} hit_outline;

/** Those of HIT_OUTLINES boxes, side by side. */
typedef struct hit_outlines {
    int32_t begin[HIT_OUTLINE_DIMS][HIT_OUTLINES];
    int32_t end[HIT_OUTLINE_DIMS][HIT_OUTLINES];
} hit_outlines;

/** @p box NULL: of all elements. Not of an empty one. */
hit_outline hit_outline_of(const hit_domain *box);
/** Room for outlines of @p to boxes in an array that has room for @p from <= to, 0 with
 * *outlines NULL. @owner *outlines: free() @errors HIT_E_NOMEM */
hit_status hit_outlines_resize(int from, int to, hit_outlines **outlines);
/** Outline number @p k of an array is that of @p box. */
void hit_outlines_set(hit_outlines *outlines, int k, const hit_domain *box);
/** The first of @p count boxes of the array, from number @p k on, that may have an
 * element in common with @p near; -1: none has. */
int hit_outlines_next(const hit_outlines *outlines, int k, int count,
                      const hit_outline *near);

#endif
