/* SPDX-License-Identifier: MIT
 * Internal to hit/check: what a body does with an argument: in, out, inout, or a
 * reduction. */
#ifndef HIT_CHECK_MODE_H
#define HIT_CHECK_MODE_H

#include "hit/check/record.h"

/** What was seen of one argument at some indices; {0} at first. */
typedef struct hit_mode_seen {
    bool read;      /**< results depend on what it held */
    bool written;   /**< at some index */
    bool kept;      /**< some touched element is not written */
    bool not_sum;   /**< it was seen not to be one */
    bool not_min;   /**< ... */
    bool not_max;   /**< ... */
    bool moved_sum; /**< something other than 0 was added */
} hit_mode_seen;

/** Look at argument @p k at index @p at. @errors as hit_recorder_run() */
hit_status hit_mode_look(hit_recorder *recorder, hit_replica *replica, int k,
                         const hit_index at[], hit_mode_seen *seen);
/** The narrowest mode. @p shared: indices touch common elements, so that a reduction is
 * meant where one fits. */
hit_mode hit_mode_decide(const hit_mode_seen *seen, bool shared);

#endif
