/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: what the store knows of the speed of a launch, and what it says
 * of its time. */
#ifndef HIT_LAUNCH_RATES_H
#define HIT_LAUNCH_RATES_H

#include "hit/launch/launcher.h"
#include "hit/launch/predict.h"

/** The models of a call's kernel and of this process's links. What is not stored, or
 * damaged, is not known. Not collective.
 * @owner the caller: hit_rates_clear() */
void hit_rates_load(const hit_call *call, const hit_known_kernel *known,
                    hit_rates *rates);
void hit_rates_clear(hit_rates *rates);

/** The time of the indices @p index of one process; @p made is their plan, NULL on a
 * device that works in place. */
hit_forecast hit_rates_predict(const hit_rates *rates, const hit_call *call,
                               const hit_known_kernel *known, const hit_domain *index,
                               const hit_superblocks *made);

/** Measure what is missing, hit_lack in @p lacks, and keep it in the store: the kernel on
 * the indices @p box with tiles and values like those of the call, copies and messages as
 * hit_links_measure(). What cannot be measured here stays unknown.
 * @collective yes; @p lacks and @p box are the same on all processes
 * @errors of hit_trial_run() and hit_links_measure(); HIT_E_IO */
hit_status hit_rates_measure(const hit_call *call, const hit_known_kernel *known,
                             const hit_domain *box, unsigned lacks);

#endif
