/* SPDX-License-Identifier: MIT
 * Internal to layouts/partition: models in larger units. */
#ifndef LAYOUTS_PARTITION_SCALE_H
#define LAYOUTS_PARTITION_SCALE_H

#include "hit/model/fpm.h"

/** The model whose unit is @p by units of @p fpm: rows of that width, for example. Loads
 * of a table that are no multiples are left out. @errors HIT_E_NOMEM */
hit_status hit_partition_scale(const hit_fpm *fpm, hit_index by, hit_fpm **scaled);
/** The same for the models of all parts; NULL stays NULL.
 * @owner *scaled is the caller's: hit_partition_scale_clear() @errors HIT_E_NOMEM */
hit_status hit_partition_scale_all(int parts, const hit_fpm *const model[], hit_index by,
                                   hit_fpm ***scaled);
/** Accepts NULL in *scaled; sets it to NULL. */
void hit_partition_scale_clear(int parts, hit_fpm ***scaled);
/** hit_partition_fpm() in such units. */
hit_status hit_partition_scaled(hit_index n, hit_index by, int parts,
                                const hit_fpm *const model[], hit_index share[]);

#endif
