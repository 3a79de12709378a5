/* SPDX-License-Identifier: MIT
 * When has a kernel been timed often enough? Give times, get the verdict: the caller owns
 * the loop, the clock and the processes. */
#ifndef HIT_MODEL_MEASURE_H
#define HIT_MODEL_MEASURE_H

#include "hit/base/status.h"

HIT_C_BEGIN

/** When to stop; a 0 stands for the value in brackets. */
typedef struct hit_measure_options {
    double relative_error; /**< half-width of the interval / mean (0.025) */
    double confidence;     /**< that the interval holds the mean, < 1 (0.95) */
    int reps_min;          /**< at least 2 where an interval is asked for (3) */
    int reps_max;          /**< (30) */
    double time_max_s;     /**< stop when all repetitions took this long (10 s) */
    double kill_s;         /**< stop when one repetition took this long (never) */
} hit_measure_options;

/** Ordered such that the verdict of processes that measure together is the largest of
 * theirs: all must be satisfied, one is enough to stop for another reason. */
typedef enum hit_measure_verdict {
    HIT_MEASURE_EXACT,    /**< stop: the interval is narrow enough */
    HIT_MEASURE_CONTINUE, /**< once more; the only one that is not a stop */
    HIT_MEASURE_REPS,     /**< stop: reps_max */
    HIT_MEASURE_TIME,     /**< stop: time_max_s */
    HIT_MEASURE_KILLED,   /**< stop: kill_s, or a time of INFINITY */
    HIT_MEASURE_FAILED    /**< stop: a time that is negative or no number */
} hit_measure_verdict;

/** A measurement in progress, and its result. A value: copy it, send it. */
typedef struct hit_measure {
    hit_measure_options options; /**< without zeros */
    hit_index units;
    int reps;            /**< times that were added */
    double seconds;      /**< their mean; INFINITY if killed or failed */
    double half_width_s; /**< of the confidence interval; INFINITY for one repetition */
    double joules; /**< the energy of one repetition, which hit_trial_run() writes; 0: it
                      was not measured */
    double total_s;
    double largest_s;  /**< of the times; not among the others: */
    double others_s;   /**< their mean */
    double deviations; /**< sum of their squared deviations from it */
    hit_measure_verdict verdict;
} hit_measure;

/** Begin to measure @p units; @p options may be NULL.
 * @errors HIT_E_ARG units < 0, options out of range */
HIT_API hit_status hit_measure_init(hit_measure *measure, hit_index units,
                                    const hit_measure_options *options);

/** Add the time of one repetition. The first run of a kernel, which is slower, is not to
 * be added, and a kernel near the resolution of the clock is to be run several times per
 * repetition. One time of more than 10 times the mean of at least 3 others is not in the
 * mean: something else ran then. After HIT_MEASURE_EXACT there may be more times, as
 * others need them.
 *
 * @units  seconds; INFINITY where the kernel was killed or failed
 * @paper  [Rychkov 2011]: Student's t; means by Welford's recurrence
 */
HIT_API hit_measure_verdict hit_measure_add(hit_measure *measure, double seconds);

/** "exact", "continue", "reps", ... */
HIT_API const char *hit_measure_verdict_name(hit_measure_verdict verdict);

/** The t with P(|T| <= t) = @p confidence, in [0, 1), for Student's T with @p freedom >=
 * 1 degrees; that of 1000 degrees, which is 0.2 % more than the limit, for more. */
HIT_API double hit_measure_student(double confidence, int freedom);

HIT_C_END

#endif
