/* SPDX-License-Identifier: MIT
 * Internal: what is known of each process while distributions are measured. */
#ifndef HIT_LAYOUTS_PARTITION_DYNAMIC_IMPL_H
#define HIT_LAYOUTS_PARTITION_DYNAMIC_IMPL_H

#include "hit/base/alloc.h"
#include "hit/model/fpm.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <stdbool.h>

/* dynamic_known.c: what is known of a process while distributions are measured. */

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

/** Start with the points and the cap of a seed, of whose units one is @p by; NULL:
 * nothing.
 * @errors HIT_E_NOMEM; the caller clears it in any case */
hit_status hit_known_init(hit_known *known, hit_index n, const hit_fpm *seed,
                          hit_index by);

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

/** One distribution that was measured. */
typedef struct hit_dynamic_trial {
    hit_index *share;
    hit_rect *rect; /**< NULL if not of a plane */
    double makespan_s;
} hit_dynamic_trial;

struct hit_dynamic {
    hit_index n;
    int parts;
    hit_plane plane; /**< of no rows if there is none */
    bool is_plane;
    hit_dynamic_options options; /**< without zeros; seed NULL */
    hit_known *known;
    hit_fpm **model; /**< built last */
    hit_dynamic_trial trial[HIT_DYNAMIC_ROUNDS];
    hit_dynamic_trial candidate;
    int rounds; /**< measured; the next trial was handed out if asked */
    bool asked;
    bool hopeful;  /**< about loads larger than those measured */
    int clock;     /**< of stamps */
    int best;      /**< -1: none */
    double best_s; /**< its makespan by all that is known now */
    int idle;      /**< trials since the best got better or a cliff was narrowed */
    hit_dynamic_verdict verdict;
    hit_arrays arrays; /**< but for the models and what is known */
};

/* dynamic_model.c: models of what is known, and the best distribution by them. */

/** Build the model of every process. With @p explore, processes without measurements are
 * assumed very fast up to an even share, and else as fast as others are on average. @p
 * least: shares known to be possible; or NULL. @errors HIT_E_NOMEM */
hit_status hit_dynamic_models(hit_dynamic *dynamic, int boldness, bool explore,
                              const hit_index least[]);

/** May being hopeful change anything? */
bool hit_dynamic_any_hope(const hit_dynamic *dynamic);

void hit_dynamic_clear_models(hit_dynamic *dynamic);

/** Is there a process of which something would be learned at once? */
bool hit_dynamic_any_new(const hit_dynamic *dynamic);

/** Let the candidate be the best distribution by the models built last.
 * @errors HIT_E_LIMIT none is possible */
hit_status hit_dynamic_solve(hit_dynamic *dynamic);

/** What was handed out last; when the loop has stopped, the best, if there is one. */
const hit_dynamic_trial *hit_dynamic_now(const hit_dynamic *dynamic);

#endif
