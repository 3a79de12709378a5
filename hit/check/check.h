/* SPDX-License-Identifier: MIT
 * Does a kernel do what its annotations say? Everything here works on a replica: nothing
 * of the program is touched. */
#ifndef HIT_CHECK_CHECK_H
#define HIT_CHECK_CHECK_H

#include "hit/check/effort.h"
#include "hit/check/record.h"
#include "hit/check/report.h"

/** Try the launch of @p replica index by index (whole-box kernels, and kernels without a
 * checked half: as a whole), on as many indices as @p effort says, NULL: on all, and
 * report what its patterns and modes do not say. @p tight_too: also what they say and the
 * body never does, which is told only where every index was visited: a sample that leaves
 * doubts is followed by all others, once for each kernel.
 * @errors HIT_E_NOMEM, HIT_E_ABSENT no implementation for the host, and what the kernel
 * returns; reports are no errors here */
hit_status hit_check_some(hit_replica *replica, bool tight_too, hit_effort *effort,
                          hit_report *report);

/** An index that is being checked, and what is known from those before. */
typedef struct hit_checker {
    hit_replica *replica;
    hit_report *report;
    hit_effort *effort; /**< NULL: every index is looked at, and nothing is said of it */
    int suggested;      /**< 1 + the argument whose annotation ends the first report */
    hit_recorder recorder;
    hit_index number; /**< of the index, in the launch's domain */
    hit_index looked; /**< indices that were looked at, in so many seconds */
    double seconds;
    hit_index *owner[HIT_MAX_ARGS]; /**< per cell: 1 + the index that touched it first */
    hit_domain *box[HIT_MAX_ARGS];  /**< per expression: what the index may touch */
    struct hit_watch *watch;        /**< cells whose content is compared */
    int watched;
    int declared;         /**< the first of them: declared, and written or reduced */
    size_t room;          /**< for watched cells */
    size_t value_room;    /**< for their values */
    size_t element_bytes; /**< of the largest type */
    char *value;          /**< what the watched cells held after the first run */
    char *element;        /**< room for one */
    struct hit_tight *tight[HIT_MAX_ARGS]; /**< per expression */
    hit_index touches[HIT_MAX_ARGS];       /**< by all indices */
} hit_checker;

/** Begin a report on argument @p k at index @p at; false: it was only counted. */
bool hit_check_begin(hit_checker *checker, int k, const hit_index at[]);
/** The annotation of argument @p k that fits is to end the report. */
void hit_check_end(hit_checker *checker, int k);

#endif
