/* SPDX-License-Identifier: MIT
 * Internal: what the files of layout hierarchical share. */
#ifndef LAYOUTS_HIERARCHICAL_IMPL_H
#define LAYOUTS_HIERARCHICAL_IMPL_H

#include "hit/topo/layout_plugin.h"
#include "layouts/layouts.h"
#include "layouts/partition/hierarchical.h"

/** Read option nodes=: the number of ranks of each node. @shape devices: room for one per
 * rank @errors HIT_E_ARG */
hit_status hit_nodes_read(const hit_layout_spec *spec, int *nodes, int devices[]);
/** Write the options of a distribution. @owner *options is the caller's: free() */
hit_status hit_nodes_options(const hit_layout_spec *spec, const int dims[2],
                             const hit_hierarchy *hierarchy, const hit_slices *slices,
                             char **options);

#endif
