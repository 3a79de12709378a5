/* SPDX-License-Identifier: MIT
 * Internal to the library: how many indices of a program's launches are looked at, how
 * far that is, and how long it takes. Process 0 says so. */
#ifndef HIT_CHECK_EFFORT_H
#define HIT_CHECK_EFFORT_H

#include "hit/check/replica.h"

#include <stdio.h>

/** Of one kernel, in all launches so far. */
typedef struct hit_effort {
    struct hit_efforts *all;
    const void *key; /**< kernels are told apart by it */
    char name[64];
    hit_index left; /**< elements that samples may touch before they are of least size */
    bool tight;     /**< a sample left doubts, and every index of a launch was visited */
    uint64_t launches;
    double indices; /**< of all launches */
    double looked;  /**< that many of them were looked at */
    double seconds; /**< that took so long */
} hit_effort;

typedef struct hit_efforts {
    FILE *out;  /**< the context's, for notes */
    bool whole; /**< every index is looked at; else a sample in large launches */
    int count;
    hit_effort *of;
    double tell_s; /**< when to say next how far it is; 0: not begun */
} hit_efforts;

/** What was done for the kernel with this key, from now on also in the launch of @p
 * replica. It stays valid until the next call. @errors HIT_E_NOMEM */
hit_status hit_effort_begin(hit_efforts *efforts, const void *key,
                            const hit_replica *replica, hit_effort **effort);
/** How many indices of a launch are to be looked at, about. */
hit_index hit_effort_most(const hit_effort *effort, const hit_replica *replica);
/** @p done of the @p all indices of the launch that are looked at have been, since
 * @p start_s. Says so after the first second, and every 10 s. */
void hit_effort_tell(hit_effort *effort, double start_s, hit_index done, hit_index all);
/** The launch is done: @p looked of its indices were looked at, in @p seconds. */
void hit_effort_end(hit_effort *effort, const hit_replica *replica, double seconds,
                    hit_index looked);
/** Say which kernels were looked at in samples, and forget all. */
void hit_efforts_close(hit_efforts *efforts);

#endif
