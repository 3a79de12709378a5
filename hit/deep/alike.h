/* SPDX-License-Identifier: MIT
 * Internal: processes that do the same in a block, each at its own place. Of a thousand
 * most lie alike: what one of each class does is planned, and counted for all of it. */
#ifndef HIT_DEEP_ALIKE_H
#define HIT_DEEP_ALIKE_H

#include "hit/base/containers.h"
#include "hit/deep/deep.h"

/** Processes of one key. */
typedef struct hit_alike_class {
    uint64_t key;
    int rank; /**< of the first one */
    uint64_t processes;
} hit_alike_class;

/** {0}: none yet. */
typedef struct hit_alike {
    int count;
    size_t room;
    hit_alike_class *of;
    hit_table by_key;
} hit_alike;

/** Count process @p rank. @owner the caller: hit_alike_clear() @errors HIT_E_NOMEM */
hit_status hit_alike_add(hit_alike *alike, uint64_t key, int rank);
void hit_alike_clear(hit_alike *alike);

/** How far beyond a part a launch that runs @p extra beyond it may reach, and by one
 * more. */
hit_index hit_alike_far(const hit_deep_form *form, const hit_margin *extra);
/** Continue @p key by where the part @p own lies among the indices of a launch that is
 * not at home, and in its tiles, as far as @p far beyond the part. Processes with parts
 * of the same extents and the same keys run boxes of the launch that are the same, moved
 * with their parts. */
uint64_t hit_alike_key(uint64_t key, const hit_deep_form *form, const hit_domain *own,
                       hit_index far);

#endif
