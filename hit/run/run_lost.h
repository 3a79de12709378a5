/* SPDX-License-Identifier: MIT
 * Internal: a launch beside lost elements (hit/tile/lost.h). */
#ifndef HIT_RUN_RUN_LOST_H
#define HIT_RUN_RUN_LOST_H

#include "hit/run/runner.h"

/** Fail alike if the launch reads what is lost on this process. */
hit_status hit_runner_check_lost(const hit_runner *r);
/** All that it should write here is lost, since it failed with @p status. */
void hit_runner_lose(const hit_runner *r, hit_status status);
/** It has written all that it overwrites. */
void hit_runner_restore(const hit_runner *r);

#endif
