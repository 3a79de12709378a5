/* SPDX-License-Identifier: MIT
 * Trials: how long a kernel takes on real pieces of a given size, on all processes at the
 * same time, so that what they compete for is in the numbers. */
#ifndef HIT_MEASURE_TRIAL_H
#define HIT_MEASURE_TRIAL_H

#include "hit/cost/model_key.h"
#include "hit/launch/launch.h"
#include "hit/model/measure.h"

HIT_C_BEGIN

/** What is tried; 0 or NULL stand for the value in brackets. */
typedef struct hit_trial {
    const hit_kernel *kernel;
    hit_domain whole; /**< of the launch that the program would make */
    /** Extent of the tile dimensions that a pattern traverses, ":" (that of the dimension
     * of the same number of @p whole). */
    hit_index extent;
    /** One per argument of the kernel, of which the values count (NULL: values that are
     * numbers are 1, others are all zero bytes). */
    const hit_arg *args;
    /** Seconds that a repetition takes at least; shorter runs are timed together (0.001).
     */
    double sample_s;
    /** Indices of a piece (0: run the whole part every time). Larger parts are run by
     * pieces of about one size and shape on all processes, one after the other, as many
     * per repetition as fit into the time that the slowest process needs for one; the
     * result is scaled to the part. The tiles are those of the whole part. Devices with a
     * memory of their own always run whole parts: a piece does not show what stays
     * there. */
    hit_index piece;
    /** Stop after three repetitions where times of processes differ by more than this
     * part of the longest (0: never): that needs no interval. */
    double rough;
    /** Of this process, to be tried while each of the others runs the part, too, again
     * and again (NULL: all its devices together). */
    struct hit_device *device;
    /** Where the memory of tiles comes from and goes to, so that the next trial finds it
     * (NULL: the system). */
    struct hit_spare *spare;
    hit_measure_options measure; /**< when to stop */
    /** Read before the first and behind the last repetition, for result->joules (NULL: it
     * stays 0). */
    struct hit_meters *meters;
} hit_trial;

/** What the model that the trial measures is about. */
HIT_API hit_subject hit_trial_subject(const hit_trial *trial);

/** Run the kernel for the indices @p part on this process's device, again and again, and
 * say how long one run takes. Tiles are made from the patterns, and every element is
 * written before. A part that does not fit the device is cut into superblocks, as in a
 * launch; nothing is sent to other processes.
 *
 * Every repetition begins on all processes at once; the first run is dropped. All go on
 * until each is satisfied, or one must stop. A part that is empty or takes too long takes
 * part in the waiting only; what does not fit the device or its memory takes INFINITY.
 *
 * @param part  a domain inside trial->whole, another one on every process; or empty
 * @units  result->units: indices of the part; result->joules: of one run of the part, by
 *         the watts of all repetitions; of what packages use each process has an equal
 *         part, also those of other hosts
 * @collective yes
 * @errors HIT_E_ARG no kernel, options out of range, an unknown extent; those of
 * hit_launch(); HIT_E_PEER
 * @paper  [Clarke2012] section 3, [Lastovetsky2014] section 2: devices that
 * compete are measured together
 */
HIT_API hit_status hit_trial_run(hit_context *context, const hit_trial *trial,
                                 const hit_domain *part, hit_measure *result);

HIT_C_END

#endif
