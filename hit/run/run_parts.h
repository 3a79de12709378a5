/* SPDX-License-Identifier: MIT
 * Internal: the parts of a launch on the devices of the process. */
#ifndef HIT_RUN_RUN_PARTS_H
#define HIT_RUN_RUN_PARTS_H

#include "hit/run/runner.h"

/** Run all parts, or leave them to a task. r->left: they may not be over.
 * @errors those of the kernel and of the devices */
hit_status hit_runner_parts(hit_runner *r);

#endif
