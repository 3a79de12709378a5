/* SPDX-License-Identifier: MIT
 * Two levels, nodes and devices, from models. */
#ifndef LAYOUTS_PARTITION_HIERARCHICAL_STATIC_H
#define LAYOUTS_PARTITION_HIERARCHICAL_STATIC_H

#include "layouts/partition/hierarchical.h"

hit_status hit_hierarchy_check(const hit_hierarchy *hierarchy);

/** As hit_hierarchical_create(), from a model of each device, in units of the plane, at
 * once: the time of a node is the optimum over its devices.
 *
 * @shape  model: of all devices, functional or constant
 * @errors HIT_E_ARG; HIT_E_LIMIT infeasible; HIT_E_NOMEM
 */
hit_status hit_hierarchical_static(const hit_hierarchy *hierarchy,
                                   const hit_fpm *const model[], hit_slices *slices,
                                   double *makespan_s);

/** The model of a node from those of its devices: the time of the best distribution, at
 * many loads, so that speeds between them are within 0.5 %.
 * @owner *node is the caller's @errors as above */
hit_status hit_hierarchical_node(hit_index units, int devices,
                                 const hit_fpm *const model[], hit_fpm **node);

#endif
