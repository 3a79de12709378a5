/* SPDX-License-Identifier: MIT
 * Time and energy: the partitions of which no other one is better in both. */
#ifndef LAYOUTS_PARTITION_PARETO_H
#define LAYOUTS_PARTITION_PARETO_H

#include "hit/model/fpm.h"

HIT_C_BEGIN

/** What units take of each process. */
typedef struct hit_trade_models {
    int parts;                    /**< processes */
    const hit_fpm *const *time;   /**< a model of each */
    const hit_fpm *const *energy; /**< the same, with J in the place of seconds: a table
                                     of units and J, or units per J */
} hit_trade_models;

/** A partition, and what it takes. */
typedef struct hit_trade {
    double makespan_s; /**< the largest time of a process */
    double energy_j;   /**< the sum of the energies of all processes */
    hit_index *share;  /**< in units, by process */
} hit_trade;

/** The Pareto-optimal partitions of @p n units: of each one, every other partition takes
 * more time, more energy, or as much of both. Exact for any models, where sums of
 * energies are exact; else within the last bits of these. A process without units takes
 * neither time nor energy.
 *
 * With @p most > 0 no more than that many are found: those of the least energy and of
 * the shortest time, then one in the widest gap between their times, again and again.
 * They come with falling times. O(points x parts x n^2), for n in units that all loads
 * of the models are multiples of.
 *
 * @shape  a model may occur several times
 * @owner  *trade is the caller's: hit_partition_trades_free()
 * @errors HIT_E_LIMIT infeasible: the models do not allow n units; HIT_E_ARG n < 0, parts
 *         < 1, most < 0, a model without points; HIT_E_NOMEM, also where n x parts is too
 *         much for tables (2^28 elements)
 * @paper  the problem of [ReddyLastovetsky2018], for models of each process and whole
 *         units
 */
HIT_API hit_status hit_partition_pareto(hit_index n, const hit_trade_models *models,
                                        int most, hit_trade **trade, int *trades);
/** The one of them with the least energy that takes at most 1 + @p slack times as long as
 * the fastest partition (0.05: within 5 %).
 * @owner  found->share is the caller's, for one number of each process; *found is written
 *         on success only
 * @errors as above; HIT_E_ARG slack < 0 or not finite */
HIT_API hit_status hit_partition_thrifty(hit_index n, const hit_trade_models *models,
                                         double slack, hit_trade *found);
/** Accepts NULL in *trade; sets it to NULL. */
HIT_API void hit_partition_trades_free(hit_trade **trade, int trades);

HIT_C_END

#endif
