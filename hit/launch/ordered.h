/* SPDX-License-Identifier: MIT
 * Internal: launches of kernels whose indices run in an order. */
#ifndef HIT_LAUNCH_ORDERED_H
#define HIT_LAUNCH_ORDERED_H

#include "hit/launch/call.h"

/** What all processes together have, found at the first such launch. */
typedef struct hit_ordered {
    bool asked;
    uint64_t limit_bytes; /**< of the smallest memory of a device; UINT64_MAX: there is
                               none but the tiles' own */
    uint64_t threads;     /**< of a process in place, at most */
    hit_index least;      /**< indices that are worth a launch; tests replace it */
} hit_ordered;

enum {
    HIT_ORDERED_LEAST = 1 << 12
};

/** Carry out @p call, of a kernel that is ordered, as launches on boxes, each of which
 * one device of one process runs at once: executors, checks, dry runs and traces see
 * these.
 * @p launch carries out one that may be known. @collective yes
 * @errors those of @p launch */
hit_status hit_launch_ordered(const hit_call *call, hit_status (*launch)(hit_call *call));

#endif
