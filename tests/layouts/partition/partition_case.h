/* SPDX-License-Identifier: MIT
 * Trying a partition algorithm on random models and on hard ones, against brute force. */
#ifndef TESTS_LAYOUTS_PARTITION_PARTITION_CASE_H
#define TESTS_LAYOUTS_PARTITION_PARTITION_CASE_H

#include "layouts/partition/partition.h"
#include "tests/support/fpm_case.h"

/** What became of one call. */
typedef struct partition_result {
    hit_status status;
    bool sound; /**< shares >= 0 that sum up to n, makespan as reported and finite; or,
                   on failure, nothing written */
    double makespan_s;
} partition_result;

/** Call @p algorithm and look at what it gives. */
partition_result partition_try(hit_partition_function *algorithm, hit_index n, int parts,
                               const hit_fpm *const model[]);
/** A random small case of the shapes from @p low to @p high, or of a mixture. Fills
 * @p cases and @p model; returns n. @shape cases, model: *parts <= 6 */
hit_index partition_case(hit_random *random, fpm_case_shape low, fpm_case_shape high,
                         int *parts, fpm_case cases[], hit_fpm *model[]);
/** @p algorithm gives the smallest makespan, or says that there is none, in @p count
 * random small cases; all of them must be sound. Asserts. */
void partition_check_best(hit_partition_function *algorithm, fpm_case_shape low,
                          fpm_case_shape high, int count, uint64_t seed);
/** The call is sound, and its makespan at most @p worst times that of the best partition.
 * Asserts. */
void partition_check_sound(hit_partition_function *algorithm, hit_index n, int parts,
                           const hit_fpm *const model[], double worst);

#endif
