/* SPDX-License-Identifier: MIT
 * Internal: the tasks of a running program that are not over, in a ring: a graph whose
 * end is not known yet. A pure state machine: it knows neither what a task does nor who
 * carries it out. Its owner adds tasks in program order and says which of the earlier
 * ones each comes after; workers take tasks that are ready, those with the longest way to
 * the end first, and say when they are done. Nothing is locked here.
 *
 * @paper [Topcuoglu2002] section 4.1 (upward ranks), here over a window that moves */
#ifndef HIT_SCHED_WINDOW_H
#define HIT_SCHED_WINDOW_H

#include "hit/base/status.h"

#include <stdbool.h>

typedef struct hit_window hit_window;

/** Room for @p room tasks, one more than 0. @owner *window: hit_window_destroy()
 * @errors HIT_E_NOMEM */
hit_status hit_window_create(int room, hit_window **window);
/** Accepts NULL in *window; sets it to NULL. */
void hit_window_destroy(hit_window **window);

/** Let the next hit_window_add() be sure of memory for @p befores edges.
 * @errors HIT_E_NOMEM */
hit_status hit_window_reserve(hit_window *window, int befores);
/** For how many edges is there memory? Only hit_window_add() makes it less. */
int hit_window_free_edges(const hit_window *window);
/** Add a task after the tasks @p before, of which some may be over or named twice. Room
 * and memory must be there. @param cost how long it takes, in any unit; at least 1
 * @param on bit by bit the workers, of up to 64, that may take it; 0: all
 * @returns its number: 1, 2, ... */
uint64_t hit_window_add(hit_window *window, int64_t cost, uint64_t on, int befores,
                        const uint64_t before[]);
/** Take the ready task of the highest rank that worker @p worker may take; 0: none. */
uint64_t hit_window_take(hit_window *window, int worker);
/** Must a task that was taken not be carried out, since one that it comes after failed?
 */
bool hit_window_is_cancelled(const hit_window *window, uint64_t task);
/** A task that was taken is over. One that failed, or was cancelled, cancels those that
 * come after it, those that are added later too, and keeps its room until
 * hit_window_forgive(). @returns how many tasks became ready */
int hit_window_done(hit_window *window, uint64_t number, bool failed);
bool hit_window_is_done(const hit_window *window, uint64_t task);
/** Is it done, and did it fail, or was it cancelled? */
bool hit_window_failed(const hit_window *window, uint64_t task);
/** What failed counts as done from now on. */
void hit_window_forgive(hit_window *window);

/** Another process waits for what task number @p number writes: at the next wait it gets
 * the longest way to the end, and those that it comes after, too. */
void hit_window_hasten(hit_window *window, uint64_t number);

/** All tasks up to this one are over; 0: none is. */
uint64_t hit_window_over(const hit_window *window);
/** Tasks that are not done. */
int hit_window_open(const hit_window *window);
int hit_window_ready(const hit_window *window);
/** Is a ready task for some workers only? */
bool hit_window_chooses(const hit_window *window);
/** Its owner is about to wait, for @p all tasks or for one: compute the longest way from
 * each task to the end, by which hit_window_take() chooses. For one task that is done
 * where most of the tasks are new, so that many waits in a row cost little.
 * hit_window_add() does it by itself with every quarter of the room; until then a new
 * task counts for itself, and for none of those that it comes after. */
void hit_window_rank_for_wait(hit_window *window, bool all);

#endif
