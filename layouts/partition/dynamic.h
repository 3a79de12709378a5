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
 *     hit_dynamic_best(d, share, &makespan);
 */
#ifndef LAYOUTS_PARTITION_DYNAMIC_H
#define LAYOUTS_PARTITION_DYNAMIC_H

#include "layouts/partition/plane.h"

enum {
    HIT_DYNAMIC_ROUNDS = 30 /**< most distributions that are measured */
};

/** A 0 stands for the value in brackets. */
typedef struct hit_dynamic_options {
    double imbalance; /**< balanced if (max - min) / max of times is up to this (0.05) */
    double noise;     /**< relative half-width of the times; < 0: exact (0.025) */
    const hit_fpm *const *seed; /**< a model of each process, NULL where none; or NULL */
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

#endif
