/* SPDX-License-Identifier: MIT
 * Internal: models that a prediction lacks. */
#ifndef HIT_MEASURE_LACKS_H
#define HIT_MEASURE_LACKS_H

#include "hit/cost/cost.h"

/** Measure what is missing, hit_lack in @p lacks, and keep it in the store: the kernel on
 * the indices @p box with tiles and values like those of the call, copies and messages as
 * hit_links_measure(). The kernel is measured on device @p number of each process while
 * its other devices are busy, copies by that device alone; a process that has fewer
 * waits. What cannot be measured here stays unknown.
 * @collective yes; @p lacks and @p number are the same on all processes
 * @errors of hit_trial_run() and hit_links_measure(); HIT_E_IO */
hit_status hit_lacks_measure(const hit_call *call, const hit_known_kernel *known,
                             int number, const hit_domain *box, unsigned lacks);

#endif
