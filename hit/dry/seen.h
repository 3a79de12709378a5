/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: the launches that a dry run has seen. Launches of one kernel on
 * domains of the same extents are of one class where they would do the same, process for
 * process in sum and at most. A place that was seen is found by hash. */
#ifndef HIT_DRY_SEEN_H
#define HIT_DRY_SEEN_H

#include "hit/cost/preview.h"

typedef struct hit_seen_class {
    const hit_known_kernel *known;
    hit_domain domain; /**< of the first place */
    hit_preview preview;
    hit_rates rates;  /**< of the first device; not known on processes that are silent */
    uint64_t times;   /**< launches at all places together */
    uint64_t chained; /**< of these, in chains */
    uint64_t timed;   /**< whose time is in that of a block */
    uint64_t places;  /**< domains, or tiles of other shapes */
    uint64_t key;     /**< hash of what its places share */
} hit_seen_class;

typedef struct hit_seen hit_seen;

/** @owner the caller: hit_seen_destroy() @errors HIT_E_NOMEM */
hit_status hit_seen_create(hit_seen **seen);
void hit_seen_destroy(hit_seen **seen);
/** Count a launch at a place that was seen: the number of its class; -1: it was not.
 * @param key  hit_launcher_key() of the call */
int hit_seen_again(hit_seen *seen, const hit_known_kernel *known,
                   const hit_domain *domain, uint64_t key);
/** Count the first launch at a place. *of is the number of its class; one
 * that is new has seen 1, and takes the rates, which are not known in @p found then.
 * @errors HIT_E_NOMEM */
hit_status hit_seen_add(hit_seen *seen, hit_seen_class *found, uint64_t key, int *of);
int hit_seen_classes(const hit_seen *seen);
/** By number: in the order in which they were first seen. */
hit_seen_class *hit_seen_at(const hit_seen *seen, int number);

#endif
