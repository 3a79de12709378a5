/* SPDX-License-Identifier: MIT
 * Performance models: how long a process takes for a number of units of computation. */
#ifndef HIT_MODEL_FPM_H
#define HIT_MODEL_FPM_H

#include "hit/model/spans.h"

#include <stdbool.h>

HIT_C_BEGIN

/** What the points of a model say. In all of them 0 units take 0 s, and what does not fit
 * takes infinitely long. */
typedef enum hit_fpm_kind {
    HIT_FPM_CONSTANT,   /**< one speed for every number of units */
    HIT_FPM_FUNCTIONAL, /**< speeds, linear between points and constant outside */
    HIT_FPM_TABLE       /**< times of single loads; every other load is impossible */
} hit_fpm_kind;

/** One point. A speed of 0 is an infinite time. */
typedef struct hit_fpm_point {
    double units; /**< >= 0; whole and <= 2^53 in tables */
    double value; /**< a table: seconds, may be infinite; else units per second */
    double reps;  /**< how many measurements this is the mean of: its weight, > 0 */
} hit_fpm_point;

typedef struct hit_fpm hit_fpm;

/** Make a model from points in any order. Points with equal units become one: the mean of
 * their times, weighted by reps.
 *
 * @shape  point: @p count points; exactly one for a constant model, whose units are
 *         taken as 0; any number for the others, also 0: hit_fpm_add() adds some
 * @owner  *fpm is the caller's: hit_fpm_destroy()
 * @errors HIT_E_ARG a point that hit_fpm_check() refuses; HIT_E_NOMEM
 * @paper  [Lastovetsky2014] section 1.2
 */
HIT_API hit_status hit_fpm_create(hit_fpm_kind kind, size_t count,
                                  const hit_fpm_point point[], hit_fpm **fpm);
/** A constant model of @p speed units per second. */
HIT_API hit_status hit_fpm_constant(double speed, hit_fpm **fpm);
HIT_API hit_status hit_fpm_copy(const hit_fpm *fpm, hit_fpm **copy);
/** Accepts NULL in *fpm; sets it to NULL. */
HIT_API void hit_fpm_destroy(hit_fpm **fpm);
/** Can a model have this point? @errors HIT_E_ARG a number that is negative or none, an
 * infinite one other than the seconds of a table, units of a table that are not whole or
 * are above 2^53, seconds for 0 units, reps <= 0 */
HIT_API hit_status hit_fpm_check(hit_fpm_kind kind, const hit_fpm_point *point);

/** Add a measurement: @p units took @p seconds, the mean of @p reps repetitions. Between
 * points the model stays linear, outside them constant; at a point that is there already,
 * the mean counts. Models are built point by point by this.
 * @errors HIT_E_ARG a constant model, units < 1, seconds not positive and finite, reps
 * <= 0; HIT_E_NOMEM */
HIT_API hit_status hit_fpm_add(hit_fpm *fpm, double units, double seconds, double reps);
/** More than @p units is impossible, whatever the points say. @errors HIT_E_ARG < 0 */
HIT_API hit_status hit_fpm_set_cap(hit_fpm *fpm, hit_index units);
/** INT64_MAX where there is none. */
HIT_API hit_index hit_fpm_cap(const hit_fpm *fpm);

HIT_API hit_fpm_kind hit_fpm_kind_of(const hit_fpm *fpm);
HIT_API size_t hit_fpm_count(const hit_fpm *fpm);
/** Point @p k in the order of units. */
HIT_API hit_fpm_point hit_fpm_point_at(const hit_fpm *fpm, size_t k);
/** The time of point @p k in s. */
HIT_API double hit_fpm_point_time(const hit_fpm *fpm, size_t k);

/** Do times never fall with the load, and is every load below a possible one possible?
 * Exact: on a segment of speeds a + b x the time x / (a + b x) rises if a > 0, so only
 * the points matter. */
HIT_API bool hit_fpm_is_monotone(const hit_fpm *fpm);

HIT_C_END

#endif
