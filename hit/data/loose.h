/* SPDX-License-Identifier: MIT
 * Internal: lists of events that end in any order, in one pool of memory that is used
 * again (hit/data/fence.h). */
#ifndef HIT_DATA_LOOSE_H
#define HIT_DATA_LOOSE_H

#include "hit/base/pool.h"

#include <stdint.h>

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

#endif
