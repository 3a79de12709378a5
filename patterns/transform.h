/* SPDX-License-Identifier: MIT
 * The domain transformation Gamma of [Torres2013] section III.E: what a pattern touches
 * of a tile over a whole domain of indices. Nothing here clips to the tile's domain: the
 * caller intersects. */
#ifndef PATTERNS_TRANSFORM_H
#define PATTERNS_TRANSFORM_H

#include "hit/data/region.h"
#include "patterns/pattern.h"

HIT_C_BEGIN

/** What one expression touches: the coarse union over all x in @p index; @p tile gives
 * the limits for the infinities and the stride that a range's factor multiplies. Empty
 * index: empty (a scalar, which cannot be empty, excepted). The time does not depend on
 * the size of @p index, and more indices never give a smaller domain.
 *
 * It is the smallest such domain if no range has an end before its begin, or each range
 * where this happens depends on one index only ("[0:i-1]"); and all strides are 1, or the
 * extents (end - begin) are all equal modulo the stride, or the begins are. Otherwise
 * ("[i:j, j:k]", "[i::4]") it holds all that is touched but may be larger. Elements
 * beyond +-2^61 are cut off. */
HIT_API hit_domain hit_access_apply(const hit_access *access, const hit_domain *tile,
                                    const hit_domain *index);
/** Does a remainder of the expression start again at 0 within @p index, once and along a
 * single dimension? Then *first and *second are the indices before and from there on. */
HIT_API bool hit_access_wraps(const hit_access *access, int tile_dims,
                              const hit_domain *index, hit_domain *first,
                              hit_domain *second);
/** Coarse union over all expressions: what is allocated.
 * @paper differs: strides by hit_sig_cover(), so that nothing is lost */
HIT_API hit_domain hit_pattern_cover(const hit_pattern *pattern, const hit_domain *tile,
                                     const hit_domain *index);
/** The same, written to *cover: for what every launch does. */
HIT_API void hit_pattern_find_cover(const hit_pattern *pattern, const hit_domain *tile,
                                    const hit_domain *index, hit_domain *cover);
/** The union of what each expression touches, as disjoint domains: what is sent (a star
 * sends no corners, and of a remainder that starts again at 0 two ranges are sent); none
 * for an empty index. @p region must be empty. @errors HIT_E_NOMEM */
HIT_API hit_status hit_pattern_region(const hit_pattern *pattern, const hit_domain *tile,
                                      const hit_domain *index, hit_region *region);
/** Is hit_pattern_cover() free of elements that no index touches? May answer false for a
 * cover that is exact (it never answers true for one that is not). */
HIT_API bool hit_pattern_is_exact(const hit_pattern *pattern, const hit_domain *tile,
                                  const hit_domain *index);

HIT_C_END

#endif
