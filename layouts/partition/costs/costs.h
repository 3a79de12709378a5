/* SPDX-License-Identifier: MIT
 * Positions in a row that cost unlike amounts of work, cut into one run per process: the
 * chains-on-chains problem for unlike processes in a given order. On plain arrays. */
#ifndef LAYOUTS_PARTITION_COSTS_H
#define LAYOUTS_PARTITION_COSTS_H

#include "layouts/partition/algorithms.h"

/** What is cut, and for whom. */
typedef struct hit_costs {
    hit_index n;          /**< positions */
    const hit_index *sum; /**< sum[k]: the cost of the positions before k, k = 0..n; at
                               most HIT_COSTS_MOST */
    int parts;
    const double *speed;       /**< cost per second of each part, >= 0; or NULL, and */
    const hit_fpm *const *fpm; /**< a model of each part, whose unit is a position */
} hit_costs;

/** Doubles hold all whole numbers up to this one. */
#define HIT_COSTS_MOST ((hit_index)1 << 52)

/** The seconds that part @p i takes for the positions from @p from to before @p to: by
 * speed, cost / speed; by a model, the seconds of as many positions, times their mean
 * cost. INFINITY if it cannot do them. */
double hit_costs_time(const hit_costs *costs, int i, hit_index from, hit_index to);
/** The largest of the parts' times for these shares. */
double hit_costs_makespan(const hit_costs *costs, const hit_index share[]);

/** Cut the positions into one run per part, in the order of the parts, so that the
 * makespan is smallest; runs may be empty, and a part of speed 0 has an empty one.
 *
 * By speeds exact for any n, O(p log n log(range of times)); of the best cuts, those that
 * are nearest to even times. By models exact up to HIT_COSTS_CUTS positions; beyond, cuts
 * are multiples of ceil(n / HIT_COSTS_CUTS).
 *
 * @shape  share: one per part
 * @errors HIT_E_ARG all speeds 0 though n > 0, or one that is negative, infinite or no
 *         number, a model without points; HIT_E_LIMIT the models do not allow n positions
 * in any cuts; HIT_E_NOMEM
 * @paper  [Pinar2008]; differs: bisection over the bits of the time. Models: dynamic
 * programming, bounded by the best cuts for constant speeds */
hit_status hit_partition_costs(const hit_costs *costs, hit_index share[]);

/** By models, among how many positions cuts are found. */
#define HIT_COSTS_CUTS 4096

/** Internal, costs_fpm.c: hit_partition_costs() by models.
 * @param share some cuts before, the better the sooner; the best ones after */
hit_status hit_costs_by_models(const hit_costs *costs, hit_index share[]);

/* costs_plane.c: a plane in columns of rectangles, as hit_partition_columns() has it,
 * where columns are cut by the costs of whole columns, and each of them by the costs of
 * its own rows. */

/** Which part is in which column of rectangles, and how wide these are. */
typedef struct hit_costs_columns {
    int columns;
    int *column_of;   /**< of each part; -1: it gets nothing */
    hit_index *first; /**< the first column of units of each, and the end */
} hit_costs_columns;

/** Arrange the parts as for even costs, unless they are arranged, and find the widths:
 * a column is as fast as its parts together.
 *
 * @shape  sum: plane->columns + 1 numbers, the cost of the columns of units before;
 *         made->column_of: one per part; made->first: parts + 1
 * @param made  with columns > 0 the arrangement is given
 * @errors as hit_partition_costs() and hit_partition_columns() */
hit_status hit_costs_widths(const hit_plane *plane, const hit_index sum[],
                            hit_costs_columns *made);

/** Find the heights in each column, as hit_partition_costs() does: the best ones for
 * these widths.
 *
 * @shape  sum: for each column of rectangles plane->rows + 1 numbers, the cost of its
 *         rows before; rect: one per part */
hit_status hit_costs_heights(const hit_plane *plane, const hit_costs_columns *made,
                             const hit_index sum[], hit_rect rect[]);

#endif
