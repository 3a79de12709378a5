/* SPDX-License-Identifier: MIT
 * Internal: what the files of hierarchical.h share. */
#ifndef LAYOUTS_PARTITION_HIERARCHICAL_IMPL_H
#define LAYOUTS_PARTITION_HIERARCHICAL_IMPL_H

#include "layouts/partition/hierarchical.h"

hit_status hit_hierarchy_check(const hit_hierarchy *hierarchy);
/** All devices of all nodes. */
int hit_hierarchy_devices(const hit_hierarchy *hierarchy);

#endif
