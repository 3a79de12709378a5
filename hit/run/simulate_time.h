/* SPDX-License-Identifier: MIT
 * Internal: the virtual time of a simulated machine goes on. */
#ifndef HIT_RUN_SIMULATE_TIME_H
#define HIT_RUN_SIMULATE_TIME_H

#include "hit/run/simulate_impl.h"

/** Let there be a simulation: the first one, or one after a failure.
 * @errors those of the scheduler's options; HIT_E_NOMEM */
hit_status hit_sim_begin(hit_simulator *sim);
/** Let all launches run. @errors of the engine, after which launches that did not run are
 * lost; those of kernels and copies are stored for hit_sim_tell() */
hit_status hit_sim_drain(hit_simulator *sim);
/** The stored failure, of the first launch in program order; it is told once. All
 * launches have run. */
hit_status hit_sim_tell(hit_simulator *sim);
/** Let some of them run if there are many. @errors as hit_sim_drain() */
hit_status hit_sim_make_way(hit_simulator *sim);
/** Give up what goes on. What is right on some node goes home. */
void hit_sim_collapse(hit_simulator *sim);
/** The simulation's time is that of the context. */
void hit_sim_note_time(hit_simulator *sim);

/** Which data, and what becomes of them. */
typedef struct hit_sim_wish {
    const hit_storage *storage;
    int piece;             /**< -1: all */
    const hit_domain *box; /**< NULL: all */
    bool content;          /**< is it wanted? */
    bool only;             /**< no other memory may have it then */
    bool forget;           /**< they are no data any more */
} hit_sim_wish;

/** Let all launches run, and data come home if there are any.
 * @errors as hit_sim_drain() and hit_sim_tell() */
hit_status hit_sim_home(hit_simulator *sim, const hit_sim_wish *w);

#endif
