/* SPDX-License-Identifier: MIT
 * Internal: a hash table of numbers, of what lies in an array of the caller: lists by
 * hash, in one array beside that one. The caller compares. The
 * lowest bits of a hash decide; hit_hash_word() mixes all into them. */
#ifndef HIT_BASE_TABLE_H
#define HIT_BASE_TABLE_H

#include "hit/base/status.h"

#include <stdint.h>

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

#endif
