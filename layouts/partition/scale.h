/* SPDX-License-Identifier: MIT
 * Internal to layouts/partition: models in larger units. */
#ifndef LAYOUTS_PARTITION_SCALE_H
#define LAYOUTS_PARTITION_SCALE_H

#include "hit/model/fpm.h"

/** The model whose unit is @p by units of @p fpm: rows of that width, for example. Loads
 * of a table that are no multiples are left out. @errors HIT_E_NOMEM */
hit_status hit_partition_scale(const hit_fpm *fpm, hit_index by, hit_fpm **scaled);
/** hit_partition_fpm() in such units. */
hit_status hit_partition_scaled(hit_index n, hit_index by, int parts,
                                const hit_fpm *const model[], hit_index share[]);

#endif
