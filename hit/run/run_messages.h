/* SPDX-License-Identifier: MIT
 * Internal: messages of a launch. */
#ifndef HIT_RUN_RUN_MESSAGES_H
#define HIT_RUN_RUN_MESSAGES_H

#include "hit/run/runner.h"

/** Begin to get what the indices need, and wait for it; both also after a failure, since
 * the peers wait. */
hit_status hit_runner_begin_gathers(hit_runner *r);
hit_status hit_runner_end_gathers(hit_runner *r);
/** The same in two steps: halos come last, on all processes alike, since some processes
 * pass on what comes. */
hit_status hit_runner_end_tables(hit_runner *r);
hit_status hit_runner_end_halos(hit_runner *r);
/** After the run: give the owners what they own; also after a failure. */
hit_status hit_runner_return(hit_runner *r);

#endif
