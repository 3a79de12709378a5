/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/measure share. */
#ifndef HIT_MEASURE_MEASURE_IMPL_H
#define HIT_MEASURE_MEASURE_IMPL_H

#include "hit/device/device.h"
#include "hit/measure/pieces.h"
#include "hit/measure/trial.h"

/* contention.c: the devices of a process compete for its memory, links and cores, so
 * that one is measured while the others are busy. */

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

/* rig.c: what a trial runs: tiles for the indices of a part, and a context of one
 * process that borrows the devices. */

typedef struct hit_rig {
    hit_context *alone;     /**< has its own communicator and launcher */
    const hit_trial *trial; /**< borrowed, as is the part */
    const hit_domain *part;
    hit_arg args[HIT_MAX_ARGS];
    void *ones[HIT_MAX_ARGS];       /**< values of arguments that were not given */
    hit_index number[HIT_MAX_ARGS]; /**< of the whole ones that the kernel gets */
    hit_pieces pieces; /**< of the part; one: a run is one of the whole part */
    int runs;          /**< of pieces per repetition */
} hit_rig;

/** Set up rig->trial on rig->part, which may be empty, with @p device of @p context
 * (NULL: all its devices). One run is one repetition. On failure close it, too.
 * @errors those of hit_trial_run() */
hit_status hit_rig_open(hit_context *context, hit_device *device, hit_rig *rig);
void hit_rig_close(hit_rig *rig);
/** Run, and set the seconds that the whole part takes. @errors of hit_launch() */
hit_status hit_rig_time(hit_rig *rig, double *seconds);

#endif
