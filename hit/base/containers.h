/* SPDX-License-Identifier: MIT
 * Internal: arrays that grow, hash tables, heaps, and what was used recently: of numbers
 * of what lies in arrays of the caller. Searches by halves. */
#ifndef HIT_BASE_CONTAINERS_H
#define HIT_BASE_CONTAINERS_H

#include "hit/base/alloc.h"
#include "hit/base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Items of one size in an array that grows, used again and again. They have numbers,
 * since the array may move. In a header, so that little is a call. */

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

/* table.c: a hash table of numbers, of what lies in an array of the caller: lists by
 * hash, in one array beside that one. The caller compares. The lowest bits of a hash
 * decide; hit_hash_word() mixes all into them. */

typedef struct hit_table_item {
    int next; /**< of the same list; -1: the last one, -2: the number is not in the table
               */
    uint32_t hash;
} hit_table_item;

/** {0}: empty. */
typedef struct hit_table {
    int *first;           /**< of each list; -1: none. NULL: there are no lists */
    uint32_t mask;        /**< of the hash that is the number of a list */
    int room;             /**< a power of two: of lists, and of numbers */
    hit_table_item *item; /**< by number */
} hit_table;

/** Room for the numbers below @p count. @errors HIT_E_NOMEM says what for */
hit_status hit_table_reserve(hit_table *table, int count, const char *what);
/** Take all numbers out; the room stays. */
void hit_table_empty(hit_table *table);
void hit_table_clear(hit_table *table);

/** Put a number in that is not there; hit_table_reserve() came before. */
void hit_table_put(hit_table *table, uint64_t hash, int number);
/** Take a number out that is there. */
void hit_table_drop(hit_table *table, int number);

/** The numbers that may have this hash, the last one first: the first of them, and the
 * one behind number @p k. -1: there is none. */
static inline int hit_table_first(const hit_table *table, uint64_t hash)
{
    return table->first == NULL ? -1 : table->first[(uint32_t)hash & table->mask];
}

static inline int hit_table_next(const hit_table *table, int k)
{
    return table->item[k].next;
}

/* A binary heap of numbers, of processes, tasks or events: the one that comes first is
 * item[0]. In a header, so that the order is no call where it is a constant. */

/** Does @p i come before @p j? A strict order, so that ties are decided. */
typedef bool (*hit_heap_order)(const void *context, int i, int j);

/** Let the item at @p at sink to its place; those below it are in theirs. */
static inline void hit_heap_sink(int count, int item[], int at, hit_heap_order before,
                                 const void *context)
{
    const int moving = item[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= count) break;
        if (child + 1 < count && before(context, item[child + 1], item[child])) child++;
        if (!before(context, item[child], moving)) break;
        item[at] = item[child];
        at = child;
    }
    item[at] = moving;
}

/** Put all items in their places. */
static inline void hit_heap_make(int count, int item[], hit_heap_order before,
                                 const void *context)
{
    for (int at = count / 2 - 1; at >= 0; at--) {
        hit_heap_sink(count, item, at, before, context);
    }
}

/** Let the item at @p at rise to its place; those above it are in theirs. */
static inline void hit_heap_rise(int item[], int at, hit_heap_order before,
                                 const void *context)
{
    const int moving = item[at];

    while (at > 0 && before(context, moving, item[(at - 1) / 2])) {
        item[at] = item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    item[at] = moving;
}

/* A search by halves, where something holds from some number on. */

/** Let @p low become the first number from it to @p high for which the condition @p holds
 * of @p k is true, @p high where it is for none below: `HIT_BISECT(k, low, high,
 * of[k].begin > x);`. Both are variables of one type, and are the same afterwards. */
/* NOLINTBEGIN(bugprone-macro-parentheses): k is a name */
#define HIT_BISECT(k, low, high, holds)                                                  \
    while ((low) < (high)) {                                                             \
        const __typeof__(low) k = (low) + ((high) - (low)) / 2;                          \
                                                                                         \
        if (holds) {                                                                     \
            (high) = k;                                                                  \
        } else {                                                                         \
            (low) = k + 1;                                                               \
        }                                                                                \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Which of a few things was used least recently. They lie in an array of the caller, and
 * each has a hit_recent in another one, so that a search reads little. */

typedef struct hit_recent {
    uint64_t key;  /**< 0: there is nothing */
    uint64_t used; /**< when, as a count of the caller says */
} hit_recent;

/** The number of what has this key, which is not 0; -1: there is none. */
static inline int hit_recent_find(const hit_recent of[], int count, uint64_t key)
{
    for (int k = 0; k < count; k++) {
        if (of[k].key == key) return k;
    }
    return -1;
}

/** The number of what was used least recently; the first one of several. */
static inline int hit_recent_oldest(const hit_recent of[], int count)
{
    int oldest = 0;

    for (int k = 1; k < count && of[oldest].key != 0; k++) {
        if (of[k].key == 0 || of[k].used < of[oldest].used) oldest = k;
    }
    return oldest;
}

/** The number of what has this key and is used @p now. *fresh: it had none, and takes the
 * place of what was used least recently. */
static inline int hit_recent_meet(hit_recent of[], int count, uint64_t key, uint64_t now,
                                  bool *fresh)
{
    int k = hit_recent_find(of, count, key);

    *fresh = k < 0;
    if (k < 0) k = hit_recent_oldest(of, count);
    of[k].key = key;
    of[k].used = now;
    return k;
}

#endif
