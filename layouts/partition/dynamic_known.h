/* SPDX-License-Identifier: MIT
 * Internal: what is known of a process while distributions are measured. */
#ifndef LAYOUTS_PARTITION_DYNAMIC_KNOWN_H
#define LAYOUTS_PARTITION_DYNAMIC_KNOWN_H

#include "hit/model/fpm.h"

#include <stdbool.h>

/** One load that was timed. */
typedef struct hit_known_point {
    hit_index units;
    double seconds; /**< a mean */
    double reps;    /**< of so many */
    int stamp;      /**< when it was last timed; 0: from a seed */
} hit_known_point;

/** What is known of one process. */
typedef struct hit_known {
    hit_known_point *point; /**< ascending */
    size_t count;
    size_t capacity;
    hit_index cap;           /**< of its seed: more is impossible */
    hit_index fails;         /**< the least one that failed; INT64_MAX: none */
    int failures;            /**< in a row, while nothing is known */
    hit_known_point suspect; /**< an observation that is to be confirmed; reps 0: none */
    int confirm; /**< so many observations of a load say something of smaller ones */
} hit_known;

/** How near to loads that failed the next ones may be. */
enum {
    HIT_KNOWN_WARY = 0, /**< half way from the largest that did not fail; then nearer */
    HIT_KNOWN_BOLDEST = 5, /**< just below */
    HIT_KNOWN_ANY = 6      /**< anywhere */
};

/** Start with the points and the cap of a seed; NULL: nothing.
 * @errors HIT_E_NOMEM; the caller clears it in any case */
hit_status hit_known_init(hit_known *known, hit_index n, const hit_fpm *seed);

void hit_known_clear(hit_known *known);

/** Add a point; the mean counts where there is one already. @errors HIT_E_NOMEM */
hit_status hit_known_insert(hit_known *known, const hit_known_point *point);

/** The seconds of @p units, speeds being linear between points; NAN if there are none. */
double hit_known_time(const hit_known *known, hit_index units);

/** Take in a benchmark of at least one unit. *narrowed: we know better than before where
 * a cliff is. @errors HIT_E_NOMEM */
hit_status hit_known_measured(hit_known *known, const hit_known_point *timed,
                              bool *narrowed);
/** The largest load to be tried; @p least is known to be possible. */
hit_index hit_known_limit(const hit_known *known, int boldness, hit_index least);
/** Make a model, without limit, of a process of which something is known. Loads that
 * differ by less than the noise count as one. Of larger loads expect the best if @p
 * hopeful, and else the same speed. @errors HIT_E_NOMEM */
hit_status hit_known_model(const hit_known *known, double noise, bool hopeful,
                           hit_fpm **model);

#endif
