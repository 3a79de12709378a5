/* SPDX-License-Identifier: MIT
 * Internal: what else the library knows of the failures of a thread. */
#ifndef HIT_BASE_STATUS_IMPL_H
#define HIT_BASE_STATUS_IMPL_H

#include "hit/base/status.h"

/** How many texts were recorded on this thread so far. */
uint64_t hit_status_failures(void);

enum {
    HIT_STATUS_TEXT_BYTES = 1536
};

/** The first failure of several steps, all of which are taken. */
typedef struct hit_first {
    hit_status status;
    char text[HIT_STATUS_TEXT_BYTES]; /**< undefined without a failure */
} hit_first;

static inline void hit_first_begin(hit_first *first)
{
    first->status = HIT_OK; /* the text is not cleared: this comes with every launch */
}

/** Keep a failure with its text. */
void hit_first_store(hit_first *first, hit_status failure);
/** Its text is the last one again. */
void hit_first_recall(const hit_first *first);

/** Keep @p status with its text, if it is a failure, and the first one. */
static inline void hit_first_keep(hit_first *first, hit_status status)
{
    if (status != HIT_OK && first->status == HIT_OK) hit_first_store(first, status);
}

/** Return the first failure, with its text, and begin anew. */
static inline hit_status hit_first_tell(hit_first *first)
{
    const hit_status status = first->status;

    if (status == HIT_OK) return HIT_OK; /* what another thread has in its cache stays */
    hit_first_recall(first);
    first->status = HIT_OK;
    return status;
}

#endif
