/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: the moments at which the lanes of a device are done, if each
 * copy and each kernel takes what the models say. Pure. All models must be known. */
#ifndef HIT_COST_CLOCKS_H
#define HIT_COST_CLOCKS_H

#include "hit/cost/predict.h"

/** When the last superblock is done, in lanes or one at a time, as @p superblocks says;
 * the arguments are those of hit_predict_on_device(). @errors HIT_E_NOMEM */
hit_status hit_clocks_follow(const hit_rates *rates, int dims, const hit_plan_arg arg[],
                             int args, const hit_superblocks *superblocks,
                             double *seconds);
/** One superblock that stays on the device: bringing it there, and running it. */
hit_forecast hit_clocks_resident(const hit_rates *rates, int dims,
                                 const hit_plan_arg arg[], int args,
                                 const hit_superblocks *superblocks);

#endif
