/* SPDX-License-Identifier: MIT
 * Regions: lists of disjoint domains, since a domain minus a domain is not a domain. */
#ifndef HIT_DATA_REGION_H
#define HIT_DATA_REGION_H

#include "hit/data/domain_set.h"

HIT_C_BEGIN

/** All domains have the same number of dimensions, none is empty, no two share an
 * element. {0} is the empty region; hit_region_clear() gives back its memory. */
typedef struct hit_region {
    int count;
    int capacity;
    hit_domain *part;
} hit_region;

HIT_API void hit_region_clear(hit_region *region);
/** Append @p domain, which must be disjoint from the region (not checked) or empty.
 * @errors HIT_E_NOMEM, here and below; the region is unchanged then */
HIT_API hit_status hit_region_append(hit_region *region, const hit_domain *domain);
/** Append the elements of @p part that are not in @p hole. @p part is none of the
 * region's. @errors HIT_E_NOMEM */
HIT_API hit_status hit_region_append_rest(hit_region *region, const hit_domain *part,
                                          const hit_domain *hole);
/** Add the elements of @p domain that are not yet in the region. */
HIT_API hit_status hit_region_add(hit_region *region, const hit_domain *domain);
/** Take the elements of @p domain away. */
HIT_API hit_status hit_region_subtract(hit_region *region, const hit_domain *domain);
/** Keep only the elements that are also in @p domain. */
HIT_API void hit_region_clip(hit_region *region, const hit_domain *domain);
/** Replace what @p to holds by a copy. */
HIT_API hit_status hit_region_copy(const hit_region *from, hit_region *to);
HIT_API hit_index hit_region_count(const hit_region *region);
HIT_API bool hit_region_has(const hit_region *region, const hit_index index[]);
/** Is every element of @p domain in the region? */
HIT_API hit_status hit_region_covers(const hit_region *region, const hit_domain *domain,
                                     bool *yes);

HIT_C_END

#endif
