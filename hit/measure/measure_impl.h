/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/measure share. */
#ifndef HIT_MEASURE_MEASURE_IMPL_H
#define HIT_MEASURE_MEASURE_IMPL_H

#include "hit/cost/cost.h"
#include "hit/data/domain.h"
#include "hit/device/device.h"
#include "hit/launch/launch.h"
#include "hit/measure/trial.h"
#include "hit/model/measure.h"
#include "patterns/kernel.h"

/* pieces.c: a domain in pieces of about one size, one after the other. */

typedef struct hit_pieces {
    hit_domain whole;
    hit_index count[HIT_MAX_DIMS]; /**< of pieces along each dimension */
    hit_index next;                /**< whose turn it is */
} hit_pieces;

/** Cut @p whole, which is not empty, into pieces of about @p indices >= 1 indices each,
 * as near to cubes as it allows; INFINITY: one. */
hit_pieces hit_pieces_cut(const hit_domain *whole, double indices);
/** How many there are. */
hit_index hit_pieces_count(const hit_pieces *pieces);
/** The piece whose turn it is; after the last one comes the first one again. */
hit_domain hit_pieces_take(hit_pieces *pieces);

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

/* imagine.c: the tiles that a kernel would need, without there being any. */

/** What is to be launched. */
typedef struct hit_imagine {
    const hit_kernel *kernel;
    hit_domain whole; /**< the indices of the launch */
    hit_domain part;  /**< those of them that tiles are wanted for */
    hit_index extent; /**< of tile dimensions that are traversed (":"); 0: that of the
                         dimension of the same number of @p whole */
    const hit_arg
        *args; /**< those of a launch, whose tiles say it; NULL: there is none */
} hit_imagine;

/** The smallest tile that argument @p arg can be, given its pattern: what the part
 * touches, and all of a dimension that is traversed.
 * @errors HIT_E_ARG a dimension is traversed, the launch has none of that number, and no
 * extent is given */
hit_status hit_imagine_tile(const hit_imagine *launch, int arg,
                            const hit_pattern *pattern, hit_domain *tile);

/* lacks.c: models that a prediction lacks. */

/** Measure what is missing, hit_lack in @p lacks, and keep it in the store: the kernel on
 * the indices @p box with tiles and values like those of the call, copies and messages as
 * hit_links_measure(). The kernel is measured on device @p number of each process while
 * its other devices are busy, copies by that device alone; a process that has fewer
 * waits. What cannot be measured here stays unknown.
 * @collective yes; @p lacks and @p number are the same on all processes
 * @errors of hit_trial_run() and hit_links_measure(); HIT_E_IO */
hit_status hit_lacks_measure(const hit_call *call, const hit_known_kernel *known,
                             int number, const hit_domain *box, unsigned lacks);

/* links_measure.c: links of a process, timed by real copies and messages. */

/** Time one kind of copies, on all processes at the same time, or of messages between
 * process r and process r + P/2. Each is waited for; those to and from the host find it
 * in memory, not in a cache. A process whose device works in place, has no room or no
 * choice of ways, or that has no partner, only waits for the others.
 * @param device  of this process; NULL: it only waits, or sends messages
 * @param shape  the same on all processes
 * @units  result->units: bytes; result->reps is 0 where nothing was timed
 * @collective yes
 * @errors HIT_E_NOMEM, HIT_E_DEVICE, HIT_E_COMM, HIT_E_PEER */
hit_status hit_links_measure(hit_context *context, struct hit_device *device,
                             const hit_link_shape *shape,
                             const hit_measure_options *options, hit_measure *result);

#endif
