/* SPDX-License-Identifier: MIT
 * Layouts: which process owns which part of a domain. hit/topo/layout_plugin.h has the
 * interface of plug-ins. */
#ifndef HIT_TOPO_LAYOUT_H
#define HIT_TOPO_LAYOUT_H

#include "hit/data/domain.h"

HIT_C_BEGIN

typedef struct hit_layout hit_layout;
struct hit_region; /* hit/data/region.h */

/** Give the caller's reference back and set it to NULL. Accepts NULL in *layout. */
HIT_API void hit_layout_destroy(hit_layout **layout);

/** Of NULL, here and below: no rank, no element, "", no owner, nothing split, key 0. */
HIT_API int hit_layout_ranks(const hit_layout *layout);
HIT_API hit_domain hit_layout_domain(const hit_layout *layout);
HIT_API const char *hit_layout_name(const hit_layout *layout);
/** What @p rank owns, in *part, which must be empty. @owner the caller:
 * hit_region_clear() */
HIT_API hit_status hit_layout_part(const hit_layout *layout, int rank,
                                   struct hit_region *part);
/** The rank that owns @p index; -1 outside the domain. */
HIT_API int hit_layout_owner(const hit_layout *layout, const hit_index index[]);
/** The domain of its owner's part that holds @p index, by arithmetic: nothing is
 * allocated. False: @p index is outside the domain, or the plug-in does not tell. */
HIT_API bool hit_layout_box(const hit_layout *layout, const hit_index index[],
                            hit_domain *box);
/** Take a further reference; for code that keeps a layout, such as tiles. */
HIT_API hit_layout *hit_layout_share(hit_layout *layout);

HIT_C_END

#endif
