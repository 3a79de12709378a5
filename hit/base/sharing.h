/* SPDX-License-Identifier: MIT
 * Internal: how units are shared out among the devices of a process. The algorithms are
 * in layouts/partition; layouts/sharing.c gives them to hit/launch, which is below. */
#ifndef HIT_BASE_SHARING_H
#define HIT_BASE_SHARING_H

#include "hit/base/status.h"

#include <stdbool.h>

struct hit_dynamic;

typedef struct hit_sharing {
    /** Units in proportion to speeds: hit_partition_cpm(). */
    hit_status (*divide)(hit_index n, int parts, const double speed[], hit_index share[]);
    /** Begin to learn from times: hit_dynamic_create().
     * @owner *dynamic is the caller's: end() */
    hit_status (*begin)(hit_index n, int parts, struct hit_dynamic **dynamic);
    /** The units @p share took @p seconds each. If others pay within @p steps_left,
     * *better is set, and they replace these; none becomes 0.
     * @shape  seconds, share: parts numbers >= 0 and > 0, at most HIT_MAX_DEVICES
     * @errors HIT_E_ARG times that are not finite or negative; HIT_E_NOMEM; share is then
     *         as it was */
    hit_status (*follow)(struct hit_dynamic *dynamic, int parts, const double seconds[],
                         double steps_left, hit_index share[], bool *better);
    void (*end)(struct hit_dynamic **dynamic);
} hit_sharing;

#endif
