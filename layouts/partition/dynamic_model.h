/* SPDX-License-Identifier: MIT
 * Internal: models of what is known, and the best distribution by them. */
#ifndef LAYOUTS_PARTITION_DYNAMIC_MODEL_H
#define LAYOUTS_PARTITION_DYNAMIC_MODEL_H

#include "layouts/partition/dynamic_impl.h"

/** Build the model of every process. With @p explore, processes without measurements are
 * assumed very fast up to an even share, and else as fast as others are on average. @p
 * least: shares known to be possible; or NULL. @errors HIT_E_NOMEM */
hit_status hit_dynamic_models(hit_dynamic *dynamic, int boldness, bool explore,
                              const hit_index least[]);

/** May being hopeful change anything? */
bool hit_dynamic_any_hope(const hit_dynamic *dynamic);

void hit_dynamic_clear_models(hit_dynamic *dynamic);

/** Is there a process of which something would be learned at once? */
bool hit_dynamic_any_new(const hit_dynamic *dynamic);

/** Let the candidate be the best distribution by the models built last.
 * @errors HIT_E_LIMIT none is possible */
hit_status hit_dynamic_solve(hit_dynamic *dynamic);

/** What was handed out last; when the loop has stopped, the best, if there is one. */
const hit_dynamic_trial *hit_dynamic_now(const hit_dynamic *dynamic);

#endif
