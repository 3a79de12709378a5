/* SPDX-License-Identifier: MIT
 * The loop that balances by measuring: what it knows, and steps of a running program. */
#ifndef LAYOUTS_PARTITION_DYNAMIC_ONLINE_H
#define LAYOUTS_PARTITION_DYNAMIC_ONLINE_H

#include "layouts/partition/dynamic.h"

/** The rectangles of the share handed out last; of a plane only. */
void hit_dynamic_rects(const hit_dynamic *dynamic, hit_rect rect[]);
/** Benchmarks may be cut off at this many seconds, and their time be given as INFINITY;
 * INFINITY at first. */
double hit_dynamic_kill_s(const hit_dynamic *dynamic);
/** The best distribution measured, and its makespan as measured. With noise, the one
 * whose times are best when each is averaged with those of nearby shares.
 * @errors HIT_E_LIMIT nothing was measured, or all failed */
hit_status hit_dynamic_best(const hit_dynamic *dynamic, hit_index share[],
                            double *makespan_s);
/** How many distributions were measured, and which of them, from 0, is the best; -1: none
 * is finite. */
int hit_dynamic_rounds(const hit_dynamic *dynamic);
int hit_dynamic_best_round(const hit_dynamic *dynamic);
/** "balanced", "optimal", ... */
const char *hit_dynamic_verdict_name(hit_dynamic_verdict verdict);

/** Append what was measured of process @p part to a functional model, each unit as @p by
 * units of the model. @errors as hit_fpm_add() */
hit_status hit_dynamic_learned(const hit_dynamic *dynamic, int part, hit_index by,
                               hit_fpm *model);

/** For an iterative program: the seconds that a step took with the shares in effect. A
 * process that takes longer or shorter than before for the same share, by more than the
 * noise and as often as options say, or for two shares in a row in the same proportion,
 * has changed: this replaces what is known of the share, and what is known of others
 * changes in proportion. Can be used after hit_dynamic_next() or without.
 *
 * @shape  units, seconds: parts numbers; seconds of 0 units are ignored
 * @errors HIT_E_ARG times that are not finite or negative, units < 0; HIT_E_NOMEM
 */
hit_status hit_dynamic_observe(hit_dynamic *dynamic, const hit_index units[],
                               const double seconds[]);

/** The distribution that is best by what was observed, and the seconds that a step is
 * predicted to take with it.
 * @shape  share: parts numbers
 * @errors HIT_E_ARG nothing was observed; HIT_E_LIMIT; HIT_E_NOMEM */
hit_status hit_dynamic_propose(hit_dynamic *dynamic, hit_index share[],
                               double *seconds_per_step);

/** The rectangles of the last proposal; of a plane only. */
void hit_dynamic_proposed(const hit_dynamic *dynamic, hit_rect rect[]);

/** The seconds that a step is predicted to take with @p share. @errors as above */
hit_status hit_dynamic_predict(hit_dynamic *dynamic, const hit_index share[],
                               double *seconds_per_step);

/** Is it worth to move the data? A gain up to 5 %, or up to the noise, is none.
 * @units now, then: predicted seconds per step; cost: seconds */
bool hit_dynamic_pays(const hit_dynamic *dynamic, double now_s, double then_s,
                      double cost_s, double steps_left);

#endif
