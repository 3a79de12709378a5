/* SPDX-License-Identifier: MIT
 * Internal to the library: what the store knows of the speed of a launch, and what it
 * says of its time. */
#ifndef HIT_COST_RATES_H
#define HIT_COST_RATES_H

#include "hit/cost/model_key.h"
#include "hit/cost/predict.h"
#include "hit/launch/call.h"

/** The models of a call's kernel on @p device, one of this process's, and of its links.
 * Missing or unreadable entries are left unknown. Not collective.
 * @owner the caller: hit_rates_clear() */
void hit_rates_load(const hit_call *call, const hit_known_kernel *known,
                    hit_device *device, hit_rates *rates);
/** @owner the caller: hit_rates_clear() @errors HIT_E_NOMEM */
hit_status hit_rates_copy(const hit_rates *rates, hit_rates *copy);
void hit_rates_clear(hit_rates *rates);
/** Whose model that of the kernel is, if all dimensions are cut: the first that
 * hit_rates_kernel() looks for. @errors HIT_E_PATTERN */
hit_status hit_rates_key(const hit_call *call, const hit_known_kernel *known,
                         hit_device *device, hit_model_key *key);
/** That of the kernel alone; NULL: it is not known.
 * @owner the caller: hit_fpm_destroy() */
hit_fpm *hit_rates_kernel(const hit_call *call, const hit_known_kernel *known,
                          hit_device *device);

/** The time of the indices @p index of one device; @p made is their plan, NULL on a
 * device that works in place. */
hit_forecast hit_rates_predict(const hit_rates *rates, const hit_call *call,
                               const hit_known_kernel *known, const hit_domain *index,
                               const hit_superblocks *made);

/** The extent of all tile dimensions that the call's patterns traverse; 0: they traverse
 * none, or extents differ. */
hit_index hit_rates_extent(const hit_call *call, const hit_known_kernel *known);

#endif
