/* SPDX-License-Identifier: MIT
 * Pictures of layouts. */
#ifndef HIT_TOOL_LAYOUT_SVG_H
#define HIT_TOOL_LAYOUT_SVG_H

#include "hit/topo/layout.h"

#include <stdio.h>

/** Draw who owns what as SVG: dimension 0 downwards, dimension 1 to the right, and of
 * further dimensions the first index; one dimension is drawn to the right.
 * @errors HIT_E_ARG more than 200,000 boxes; HIT_E_NOMEM. The caller looks whether @p
 * file was written */
hit_status hit_tool_layout_draw(const hit_layout *layout, FILE *file);

#endif
