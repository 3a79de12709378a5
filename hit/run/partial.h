/* SPDX-License-Identifier: MIT
 * Internal: reductions of a launch on several devices. */
#ifndef HIT_RUN_PARTIAL_H
#define HIT_RUN_PARTIAL_H

#include "hit/run/runner.h"

/** Before the run: nothing has been added to what is reduced. */
hit_status hit_runner_start_sums(const hit_runner *r);
/** After it: what the devices added up becomes one, in their order, so that results do
 * not depend on timing. */
hit_status hit_runner_end_sums(const hit_runner *r);

#endif
