/* SPDX-License-Identifier: MIT
 * Internal to hit/topo: the options of a layout. */
#ifndef HIT_TOPO_LAYOUT_TEXT_IMPL_H
#define HIT_TOPO_LAYOUT_TEXT_IMPL_H

#include "hit/topo/layout_impl.h"

/** Read the options @p text (NULL: none) into layout->spec; layout->ops must be set.
 * @owner layout->options, also on failure: hit_option_clear() */
hit_status hit_layout_options_read(const char *text, hit_layout *layout);

#endif
