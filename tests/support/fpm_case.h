/* SPDX-License-Identifier: MIT
 * Random performance models with their times written a second time, naively, and the
 * smallest makespan by brute force. For tests of models and partitions. */
#ifndef TESTS_SUPPORT_FPM_CASE_H
#define TESTS_SUPPORT_FPM_CASE_H

#include "hit/model/fpm.h"
#include "tests/support/random.h"

#define CASE_POINTS 40

/** What a model is made of: points in any order, some of them with equal units. */
typedef struct fpm_case {
    hit_fpm_kind kind;
    size_t count;
    hit_fpm_point point[CASE_POINTS];
    hit_index cap; /**< INT64_MAX: none */
} fpm_case;

/** What fpm_case_random() makes. */
typedef enum fpm_case_shape {
    CASE_CONSTANT, /**< speeds from 1 to 10^6, rarely 0 */
    CASE_SMOOTH,   /**< functional, speeds rise a little and fall */
    CASE_RAGGED,   /**< functional, any speeds, cliffs, plateaus, some of 0 */
    CASE_PLATEAU,  /**< functional, time constant over ranges of loads */
    CASE_TABLE,    /**< all loads from 1, any times */
    CASE_RISING,   /**< a table whose times do not fall */
    CASE_GAPS,     /**< a table of some loads */
    CASE_SHAPES
} fpm_case_shape;

/** A random case for loads up to about @p most; one in four has a cap. */
fpm_case fpm_case_random(hit_random *random, fpm_case_shape shape, hit_index most);
/** The model of it. Ends the program if that fails. */
hit_fpm *fpm_case_model(const fpm_case *one);
/** The seconds that @p units take, by looking at every point. */
double fpm_case_time(const fpm_case *one, hit_index units);
/** Is the number in one of the spans? */
bool fpm_case_has(const hit_spans *spans, hit_index number);
/** The smallest makespan of @p n units, by trying all loads of all processes; INFINITY if
 * there is none. O(parts n^2) */
double fpm_case_best(hit_index n, int parts, const fpm_case cases[]);

#endif
