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

#include "hit/data/domain.h"
#include "hit/data/loose.h"

#include <stdbool.h>

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

#endif
