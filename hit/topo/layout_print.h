/* SPDX-License-Identifier: MIT
 * Layouts as text. */
#ifndef HIT_TOPO_LAYOUT_PRINT_H
#define HIT_TOPO_LAYOUT_PRINT_H

#include "hit/topo/layout.h"

HIT_C_BEGIN

/** Stable text: one line per rank. Never more than @p size bytes. */
HIT_API hit_status hit_layout_print(const hit_layout *layout, char *text, size_t size);

HIT_C_END

#endif
