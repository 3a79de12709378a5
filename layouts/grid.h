/* SPDX-License-Identifier: MIT
 * Internal: grids of ranks, and dimensions, as options. */
#ifndef LAYOUTS_GRID_H
#define LAYOUTS_GRID_H

#include "hit/topo/layout_plugin.h"
#include "hit/topo/topology.h"

/** The grid of ranks that option grid=AxB asks for; without it the one that fits @p
 * domain best.
 * @shape cut: as in hit_topology_fit()
 * @errors HIT_E_ARG not one size >= 1 per dimension, or not spec->ranks in all */
hit_status hit_layout_grid(const hit_layout_spec *spec, const hit_domain *domain,
                           const bool cut[], hit_topology *grid);

/** The dimension that option dim=K names; 0 without it.
 * @errors HIT_E_ARG a scalar has no dimension; not one of the domain's */
hit_status hit_layout_dim(const hit_layout_spec *spec, int *dim);

#endif
