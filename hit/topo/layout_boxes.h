/* SPDX-License-Identifier: MIT
 * Internal: layouts by the boxes of each rank, as the options of the layout "boxes". */
#ifndef HIT_TOPO_LAYOUT_BOXES_H
#define HIT_TOPO_LAYOUT_BOXES_H

#include "hit/topo/layout_plugin.h"

/** What a rank owns that owns nothing, in the option own= of the layout "boxes". */
#define HIT_BOXES_NONE "none"

/** The layout "boxes" of @p part: the boxes of each rank of @p ranks.
 * @errors HIT_E_ARG they are not disjoint, or together not the domain; HIT_E_NOMEM */
hit_status hit_layout_boxes(hit_context *context, hit_domain domain, int ranks,
                            const hit_region part[], hit_layout **layout);

#endif
