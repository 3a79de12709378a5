/* SPDX-License-Identifier: MIT
 * Internal: the devices of a process compete for its memory, links and cores, so that one
 * is measured while the others are busy. */
#ifndef HIT_MEASURE_CONTENTION_H
#define HIT_MEASURE_CONTENTION_H

#include "hit/measure/trial.h"

typedef struct hit_contention hit_contention;

/** Set up the trial on all devices of this process but trial->device. *contention is NULL
 * if there are none, or the part is empty. A device that the part does not fit stays
 * idle.
 * @owner *contention is the caller's: hit_contention_close()
 * @errors those of hit_trial_run() */
hit_status hit_contention_open(hit_context *context, const hit_trial *trial,
                               const hit_domain *part, hit_contention **contention);
/** Accepts NULL in *contention; sets it to NULL. */
void hit_contention_close(hit_contention **contention);
/** Let these devices run the part again and again; returns when each of them has begun.
 * Accept NULL. */
void hit_contention_begin(hit_contention *contention);
/** Wait for the end of their last runs. @errors of hit_launch() in one of them */
hit_status hit_contention_end(hit_contention *contention);

#endif
