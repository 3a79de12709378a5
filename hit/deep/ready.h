/* SPDX-License-Identifier: MIT
 * Internal to plans of blocks over processes: the launches that are expected, and what
 * they take on this process. */
#ifndef HIT_DEEP_READY_H
#define HIT_DEEP_READY_H

#include "hit/deep/deep.h"

/* The launches that are expected. */
typedef struct hit_deep_expected {
    hit_deep *deep;
    uint64_t first; /* in the history */
    int period;
    const hit_layout *layout;
    const hit_deep_layout *parts; /* of it */
    double wait_s;                /* for messages, once */
    double launch_s; /* the mean launch of the process that takes longest, 0: not known */
    bool streams;    /* what some process runs does not fit its device */
    double share;    /* of the processes that have indices, those of which it is so */
    bool gains;      /* the launches of some process move bytes or miss its caches */
    bool async;      /* the devices with memories copy beside the program, all of them */
    int devices;     /* that share what a process runs, in the process that has most */
    size_t limit_bytes; /* of the smallest memory of a device; SIZE_MAX: all in place */
} hit_deep_expected;

/* Launch number @p l of the block. */
static inline const hit_deep_form *hit_deep_form_at(const hit_deep_expected *e, int l)
{
    return hit_deep_at(e->deep, e->first + (uint64_t)(l % e->period));
}

/** Can the device of this process, or one like it, go through the indices @p box of a
 * launch row by row? @errors HIT_E_LIMIT */
hit_status hit_deep_check_room(const hit_deep *deep, const hit_deep_form *form,
                               const hit_domain *box);
/** Take the memory that the launches of @p plan need, and make ready the messages of its
 * fields; where nothing is run these are counted. @errors HIT_E_NOMEM; HIT_E_LIMIT a
 * device has no room */
hit_status hit_deep_get_ready(const hit_deep_expected *e, hit_deep_plan *plan);

#endif
