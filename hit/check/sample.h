/* SPDX-License-Identifier: MIT
 * Internal to hit/check: the indices of a launch that are looked at. */
#ifndef HIT_CHECK_SAMPLE_H
#define HIT_CHECK_SAMPLE_H

#include "hit/data/domain.h"

/** All combinations of some positions per dimension. */
typedef struct hit_sample {
    hit_domain domain;
    bool whole; /**< every index of the domain */
    hit_index count[HIT_MAX_DIMS];
    hit_index *position[HIT_MAX_DIMS]; /**< ascending; NULL: all of the dimension */
    hit_index place[HIT_MAX_DIMS];     /**< of the index that is visited */
} hit_sample;

/** About @p most indices of a domain, or all where it has no more: its rim, and runs of
 * neighbours at places that depend on @p seed. Each dimension has at least 3 positions if
 * it is as long. @owner hit_sample_clear(), also on failure @errors HIT_E_NOMEM */
hit_status hit_sample_make(const hit_domain *domain, hit_index most, uint64_t seed,
                           hit_sample *sample);
void hit_sample_clear(hit_sample *sample);
/** A number from 0 to before @p end > 0, the next of those that begin with a seed. */
hit_index hit_sample_below(uint64_t *random, hit_index end);

/** How many indices it has. */
hit_index hit_sample_count(const hit_sample *sample);

/** Visit the indices in the order of the domain; false: there is none (more). @p number
 * is that of the index in the whole domain. */
bool hit_sample_first(hit_sample *sample, hit_index at[], hit_index *number);
bool hit_sample_next(hit_sample *sample, hit_index at[], hit_index *number);

#endif
