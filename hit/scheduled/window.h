/* SPDX-License-Identifier: MIT
 * Internal: the window of launches that wait, and data that come home. */
#ifndef HIT_SCHEDULED_WINDOW_H
#define HIT_SCHEDULED_WINDOW_H

#include "hit/scheduled/schedule_impl.h"

/** Let there be an engine: the first one, or one after a failure.
 * @errors those of the scheduler's options; HIT_E_NOMEM */
hit_status hit_scheduled_begin(hit_scheduled *s);
/** Give back the engine, the tasks and the data, so that there can be a new one. */
void hit_scheduled_clear(hit_scheduled *s);
/** Nothing goes on: forget all tasks, and let s->scheduler place those that come.
 * @errors as hit_engine_restart() */
hit_status hit_scheduled_restart(hit_scheduled *s);
/** Let all launches run. @errors of the engine, after which launches that did not run are
 * lost; those of kernels and copies are stored for hit_scheduled_tell() */
hit_status hit_scheduled_drain(hit_scheduled *s);
/** Return the stored failure, that of the first launch in program order, and forget it.
 * All launches have run. */
hit_status hit_scheduled_tell(hit_scheduled *s);
/** A launch was added: let some run if there are many, or if the driver goes on.
 * @errors as hit_scheduled_drain() */
hit_status hit_scheduled_make_way(hit_scheduled *s);
/** @p status, a failure after which the engine or its graph is of no use: what is right
 * on some node goes home, and launches that did not run are lost, which it says. */
hit_status hit_scheduled_keep_going(hit_scheduled *s, hit_status status);

/** Which data, and what becomes of them. */
typedef struct hit_scheduled_wish {
    const hit_storage *storage; /**< NULL: those of all tiles */
    int piece;                  /**< -1: all */
    const hit_domain *box;      /**< NULL: all */
    bool content;               /**< is it wanted? */
    bool only;                  /**< no other memory may have it then */
    bool forget;                /**< they are no data any more */
} hit_scheduled_wish;

/** Let all launches run, and data come home if there are any. Tells the stored failure if
 * it concerns one of them: a task that was to write it did not; or, where no other memory
 * may have it then, one that was to read it did not.
 * @errors as hit_scheduled_drain() and hit_scheduled_tell() */
hit_status hit_scheduled_home(hit_scheduled *s, const hit_scheduled_wish *w);
/** All data come home, and the memories of devices are free. @errors as above */
hit_status hit_scheduled_leave(hit_scheduled *s);

#endif
