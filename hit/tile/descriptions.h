/* SPDX-License-Identifier: MIT
 * Internal: what tasks do, in memory that is free again in the order in which it was
 * taken. */
#ifndef HIT_TILE_DESCRIPTIONS_H
#define HIT_TILE_DESCRIPTIONS_H

#include "hit/tile/station.h"

/** Of a window of tasks. {0}: of none. @owner the caller: hit_descriptions_clear() */
typedef struct hit_descriptions {
    hit_task *task[HIT_TASKS_WINDOW];     /**< number n is task[n % HIT_TASKS_WINDOW] */
    struct hit_descriptions_block *first; /**< the oldest */
    struct hit_descriptions_block *last;  /**< from which is taken */
} hit_descriptions;

void hit_descriptions_clear(hit_descriptions *all);

/** Memory for task @p number; those up to number @p over are free again, and so is what
 * was taken last under the same number. NULL: there is no memory. */
hit_task *hit_descriptions_take(hit_descriptions *all, uint64_t number, uint64_t over,
                                const hit_task_room *room);

static inline hit_task *hit_descriptions_at(const hit_descriptions *all, uint64_t number)
{
    return all->task[number % HIT_TASKS_WINDOW];
}

#endif
