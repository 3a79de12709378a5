/* SPDX-License-Identifier: MIT
 * Internal: messages of a launch. */
#ifndef HIT_RUN_RUN_MESSAGES_H
#define HIT_RUN_RUN_MESSAGES_H

#include "hit/run/runner.h"

/** Begin to get what the indices need, and wait for it; both also after a failure, since
 * the peers wait. */
hit_status hit_runner_begin_gathers(hit_runner *r);
hit_status hit_runner_end_gathers(hit_runner *r);
/** After the run: give the owners what they own; also after a failure. */
hit_status hit_runner_return(hit_runner *r);

#endif
