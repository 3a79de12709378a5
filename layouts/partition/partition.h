/* SPDX-License-Identifier: MIT
 * Partitions of n equal units over processes with performance models, on plain arrays and
 * without MPI: what the algorithms have in common, and the choice among them. The goal is
 * always the smallest makespan, the largest time of a process; a share of 0 is legal.
 * Integers decide wherever they can, but times are doubles: compute a partition on one
 * process and send the integers to the others. */
#ifndef LAYOUTS_PARTITION_PARTITION_H
#define LAYOUTS_PARTITION_PARTITION_H

#include "hit/model/fpm.h"

HIT_C_BEGIN

/** How a partition came about. */
typedef struct hit_partition_info {
    double makespan_s;     /**< the largest time of a process, finite */
    int iterations;        /**< of the algorithm: times or steps tried */
    const char *algorithm; /**< its name; a constant */
} hit_partition_info;

/** Every algorithm: share @p n units among @p parts processes, whose times @p model
 * gives. Outputs are set on success only; *info may be NULL.
 *
 * @shape  model, share: parts elements; a model may occur several times
 * @errors HIT_E_LIMIT infeasible: the models do not allow n units; HIT_E_ARG n < 0, parts
 *         < 1, a model without points, models that the algorithm is not for; HIT_E_NOMEM
 */
typedef hit_status hit_partition_function(hit_index n, int parts,
                                          const hit_fpm *const model[], hit_index share[],
                                          hit_partition_info *info);

/** The best partition: hit_partition_gpa() if it is exact for all models, else
 * hit_partition_optimal(). */
HIT_API hit_partition_function hit_partition_fpm;

/** The largest of the processes' times in s; INFINITY if a share is impossible. */
HIT_API double hit_partition_makespan(int parts, const hit_fpm *const model[],
                                      const hit_index share[]);

HIT_C_END

#endif
