/* SPDX-License-Identifier: MIT
 * Models whose times never fall, made of measured ones. */
#ifndef HIT_MODEL_FPM_REPAIR_H
#define HIT_MODEL_FPM_REPAIR_H

#include "hit/model/fpm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Copy a functional model, changed to be what @p mode says; other kinds are only copied.
 * RISING pools neighbours whose times fall into their mean (weighted by reps), as few as
 * possible. UNIMODAL lowers speeds that rise away from the peak and lifts those below a
 * chord on its left, then does the same.
 *
 * @owner  *repaired is the caller's; the raw points stay in @p fpm
 * @errors HIT_E_NOMEM
 * @paper  [Lastovetsky2014] section 1.2; differs: "convex" there means concave, and all
 *         points count alike, where the paper changes the newest one
 */
HIT_API hit_status hit_fpm_repair(const hit_fpm *fpm, hit_fpm_mode mode,
                                  hit_fpm **repaired);

#ifdef __cplusplus
}
#endif

#endif
