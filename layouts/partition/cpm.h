/* SPDX-License-Identifier: MIT
 * Partition by constant speeds (CPM: constant performance model), on plain arrays. */
#ifndef LAYOUTS_PARTITION_CPM_H
#define LAYOUTS_PARTITION_CPM_H

#include "hit/base/status.h"

/** Give @p n units to @p parts processes so that max of share[i] / speed[i] is smallest;
 * of these, the one in which every further unit went where it finishes first, on ties to
 * the lowest index. A speed of 0 gets nothing. Equal on every machine: only integers
 * decide.
 *
 * @shape speed, share: parts numbers
 * @errors HIT_E_ARG n < 0, parts < 1, a speed that is negative, infinite or no number,
 * all speeds 0 with n > 0; HIT_E_NOMEM; share is not written then
 */
hit_status hit_partition_cpm(hit_index n, int parts, const double speed[],
                             hit_index share[]);
/** The same where process i can take at most @p most[i] units.
 *
 * @shape  speed, most, share: parts numbers; most may be NULL: no limits
 * @errors HIT_E_LIMIT the processes with a speed > 0 can take less than @p n units in
 *         all; HIT_E_ARG also a limit < 0; else as hit_partition_cpm()
 */
hit_status hit_partition_cpm_limited(hit_index n, int parts, const double speed[],
                                     const hit_index most[], hit_index share[]);

#endif
