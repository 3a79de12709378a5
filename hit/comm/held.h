/* SPDX-License-Identifier: MIT
 * Internal: which boxes of a tile processes hold that others own. A box that was sent is
 * held by its receiver until a launch writes elements of it, so that it need not be sent
 * again. All processes make the same launches, so the sender and the receiver of a box
 * know of it without a word; a dry run knows it of all of them. */
#ifndef HIT_COMM_HELD_H
#define HIT_COMM_HELD_H

#include "hit/base/status.h"
#include "hit/data/domain.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct hit_held hit_held;

/** A box that process `to` has of process `from`. */
typedef struct hit_held_box {
    int from;
    int to;
    hit_domain box;
    size_t size_bytes;
    uint64_t looks; /**< of the sender: how often the host had written the tile then */
    void *memory;   /**< of the receiver, row by row; NULL: there was none */
    bool there;     /**< and it has what came */
    uint64_t event; /**< the last task that reads the memory; 0: none does */
    int pair;       /**< below: for held.c */
    int before;     /**< in the pair; -1: it is the oldest */
    int behind;
} hit_held_box;

/** Nothing is held. Of each pair of processes boxes of @p most_bytes together are held at
 * most, and the last one: the oldest go. @param over the number up to which all tasks are
 * over, read when memory is used again; borrowed @owner the caller: hit_held_destroy()
 * @errors HIT_E_NOMEM */
hit_status hit_held_create(size_t most_bytes, const uint64_t *over, hit_held **held);
/** No task reads it any more. Accepts NULL in *held; sets it to NULL. */
void hit_held_destroy(hit_held **held);

/** The number of the box that @p to has of @p from, by which hit_held_at() finds it until
 * the next change; -1: it is not held. A NULL list holds nothing. */
int hit_held_find(const hit_held *held, int from, int to, const hit_domain *box);
hit_held_box *hit_held_at(const hit_held *held, int number);
/** Room for @p more boxes, with spare room if there is memory. @errors HIT_E_NOMEM: there
 * is no room for so many */
hit_status hit_held_reserve(hit_held *held, int more);
/** Hold a box that is not held, without memory: its number. hit_held_reserve() came
 * before. */
int hit_held_add(hit_held *held, int from, int to, const hit_domain *box,
                 size_t size_bytes);
/** Memory for a box, if it has none: one that is not used any more, if there is.
 * @owner the list @errors HIT_E_NOMEM */
hit_status hit_held_take_memory(hit_held *held, int number);
/** Do tasks read so much of what is held no more that they are to be waited for? */
bool hit_held_is_behind(hit_held *held);
/** Hold it no more. */
void hit_held_remove(hit_held *held, int number);
/** A launch has written elements of @p box: boxes with some of them are held no more. */
void hit_held_written(hit_held *held, const hit_domain *box);
/** Hold nothing any more. */
void hit_held_clear(hit_held *held);
/** At the end of a launch: the oldest boxes of a pair go that holds too much. */
void hit_held_trim(hit_held *held);
int hit_held_count(const hit_held *held);

#endif
