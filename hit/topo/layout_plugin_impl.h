/* SPDX-License-Identifier: MIT
 * Internal: plug-ins by name. */
#ifndef HIT_TOPO_LAYOUT_PLUGIN_IMPL_H
#define HIT_TOPO_LAYOUT_PLUGIN_IMPL_H

#include "hit/topo/layout_plugin.h"

/** The plug-in that @p text names, "block:processes=2x2", and where its options begin.
 * @errors HIT_E_ARG no such plug-in, with those that there are */
hit_status hit_layout_read(hit_context *context, const char *text,
                           const hit_layout_ops **ops, const char **options);

#endif
