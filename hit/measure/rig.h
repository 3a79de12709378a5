/* SPDX-License-Identifier: MIT
 * Internal: what a trial runs: tiles for the indices of a part, and a context of one
 * process that borrows the devices. */
#ifndef HIT_MEASURE_RIG_H
#define HIT_MEASURE_RIG_H

#include "hit/device/device.h"
#include "hit/measure/pieces.h"
#include "hit/measure/trial.h"

typedef struct hit_rig {
    hit_context *alone;     /**< has its own communicator and launcher */
    const hit_trial *trial; /**< borrowed, as is the part */
    const hit_domain *part;
    hit_arg args[HIT_MAX_ARGS];
    void *ones[HIT_MAX_ARGS]; /**< values of arguments that were not given */
    hit_pieces pieces;        /**< of the part; one: a run is one of the whole part */
    int runs;                 /**< of pieces per repetition */
} hit_rig;

/** Set up rig->trial on rig->part, which may be empty, with @p device of @p context
 * (NULL: all its devices). One run is one repetition. On failure close it, too.
 * @errors those of hit_trial_run() */
hit_status hit_rig_open(hit_context *context, hit_device *device, hit_rig *rig);
void hit_rig_close(hit_rig *rig);
/** Run, and set the seconds that the whole part takes. @errors of hit_launch() */
hit_status hit_rig_time(hit_rig *rig, double *seconds);

#endif
