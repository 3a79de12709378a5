/* SPDX-License-Identifier: MIT
 * Internal: items of one size in an array that grows, used again and again. They have
 * numbers, since the array may move. In a header, so that little is a call. */
#ifndef HIT_BASE_POOL_H
#define HIT_BASE_POOL_H

#include "hit/base/alloc.h"

#include <stdlib.h>

enum {
    HIT_POOL_LEAST = 16 /**< items there is room for */
};

/** {.size_bytes = ...}: empty. An item begins with an int, which links those that are
 * free, and is the caller's while it is taken: of lists. */
typedef struct hit_pool {
    size_t size_bytes; /**< of an item */
    void *item;
    int room;
    int taken;
    int count; /**< numbers from here on were never taken */
    int first; /**< the number of the first free one below count, from 1; 0: none */
} hit_pool;

/** Room for @p more items. The array may move. @errors HIT_E_NOMEM says what for */
static inline hit_status hit_pool_reserve(hit_pool *pool, int more, const char *what)
{
    int room = pool->taken + more;

    if (room <= pool->room) return HIT_OK;
    if (room < 2 * pool->room) room = 2 * pool->room;
    if (room < HIT_POOL_LEAST) room = HIT_POOL_LEAST;
    HIT_TRY(hit_memory_resize((size_t)room, pool->size_bytes, what, &pool->item));
    pool->room = room;
    return HIT_OK;
}

static inline void hit_pool_clear(hit_pool *pool)
{
    free(pool->item);
    pool->item = NULL;
    pool->room = pool->taken = pool->count = pool->first = 0;
}

static inline void *hit_pool_at(const hit_pool *pool, int number)
{
    return (char *)pool->item + (size_t)number * pool->size_bytes;
}

/** So many can be taken. */
static inline int hit_pool_left(const hit_pool *pool)
{
    return pool->room - pool->taken;
}

/** The number of an item, whose bytes are any; hit_pool_reserve() came before. */
static inline int hit_pool_take(hit_pool *pool)
{
    const int number = pool->first > 0 ? pool->first - 1 : pool->count++;

    if (pool->first > 0) pool->first = *(const int *)hit_pool_at(pool, number);
    pool->taken++;
    return number;
}

static inline void hit_pool_give(hit_pool *pool, int number)
{
    *(int *)hit_pool_at(pool, number) = pool->first;
    pool->first = number + 1;
    pool->taken--;
}

#endif
