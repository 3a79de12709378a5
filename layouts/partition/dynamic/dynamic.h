/* SPDX-License-Identifier: MIT
 * The loop that balances by measuring: hand out a distribution, be told how long each
 * process took, refine partial models, hand out a better one. No MPI and no callbacks:
 * one process owns this, sends the shares and gathers the times.
 *
 *     hit_dynamic_create(n, parts, NULL, &d);
 *     hit_dynamic_next(d, NULL, share, &verdict);
 *     while (verdict == HIT_DYNAMIC_CONTINUE) {
 *         ... measure all processes at once, cut off at hit_dynamic_kill_s(d) ...
 *         hit_dynamic_next(d, seconds, share, &verdict);
 *     }
 *     hit_dynamic_best(d, share, &makespan); */
#ifndef HIT_LAYOUTS_PARTITION_DYNAMIC_H
#define HIT_LAYOUTS_PARTITION_DYNAMIC_H

#include "layouts/partition/algorithms.h"

enum {
    HIT_DYNAMIC_ROUNDS = 30 /**< most distributions that are measured */
};

/** A 0 stands for the value in brackets. */
typedef struct hit_dynamic_options {
    double imbalance; /**< balanced if (max - min) / max of times is up to this (0.05) */
    double noise;     /**< relative half-width of the times; < 0: exact (0.025) */
    const hit_fpm *const *seed; /**< a model of each process, NULL where none; or NULL */
    hit_index by;               /**< units of the seeds that one unit is (1) */
} hit_dynamic_options;

/** Whether and why the loop stops. */
typedef enum hit_dynamic_verdict {
    HIT_DYNAMIC_CONTINUE,    /**< measure the share handed out */
    HIT_DYNAMIC_BALANCED,    /**< times differ by less than the imbalance allowed */
    HIT_DYNAMIC_OPTIMAL,     /**< the models know nothing better than the best measured */
    HIT_DYNAMIC_REPEATED,    /**< the predicted improvement was measured and was no
                                improvement */
    HIT_DYNAMIC_NO_PROGRESS, /**< too many distributions that were no better */
    HIT_DYNAMIC_LIMIT,       /**< enough distributions measured */
    HIT_DYNAMIC_INFEASIBLE   /**< no distribution is left that has not failed */
} hit_dynamic_verdict;

typedef struct hit_dynamic hit_dynamic;

/** Begin to balance @p n units over @p parts processes.
 *
 * @owner  *dynamic is the caller's: hit_dynamic_destroy(); seeds are copied; a seed that
 *         the first measurement contradicts is dropped, but for its cap
 * @errors HIT_E_ARG n < 0, parts < 1, options out of range; HIT_E_NOMEM
 * @paper  [Clarke 2012] sections 3 (INPA, IDPA); [Lastovetsky 2014] section 1.2; differs:
 *         the best measured counts, not the last; a guard at cliffs; reasons to stop
 * other than balance, without which the loop never ends on a cliff or with few units
 */
hit_status hit_dynamic_create(hit_index n, int parts, const hit_dynamic_options *options,
                              hit_dynamic **dynamic);
/** The same for a plane of units of which each process gets a rectangle, in columns: the
 * share is its area. Only the rows, columns, parts and slack of @p plane count.
 * @errors also as hit_partition_columns() */
hit_status hit_dynamic_create_plane(const hit_plane *plane,
                                    const hit_dynamic_options *options,
                                    hit_dynamic **dynamic);
/** Accepts NULL in *dynamic; sets it to NULL. */
void hit_dynamic_destroy(hit_dynamic **dynamic);

/** Take the times of the distribution handed out last and hand out the next one. When it
 * stops, @p share is the best one.
 *
 * @shape  seconds, share: parts numbers; seconds NULL in the first call; those of shares
 *         of 0 are ignored; INFINITY for what failed or was cut off
 * @errors HIT_E_ARG seconds missing, negative or no number, a call after the stop;
 *         HIT_E_LIMIT the seeds' caps do not allow n; HIT_E_NOMEM
 */
hit_status hit_dynamic_next(hit_dynamic *dynamic, const double seconds[],
                            hit_index share[], hit_dynamic_verdict *verdict);

/* dynamic_online.c: The loop that balances by measuring: what it knows, and steps of a
 * running program. */

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
