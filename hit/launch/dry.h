/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: dry runs. With HIT_PLAN=1 (or json) in the environment every
 * launch is planned for all processes and printed, and nothing is run or sent;
 * HIT_PLAN_PROCESSES=1000 plans for that many, on one. */
#ifndef HIT_LAUNCH_DRY_H
#define HIT_LAUNCH_DRY_H

#include "hit/context.h"
#include "hit/launch/launcher.h"

struct hit_dry;

/** Read the environment; if it asks for a dry run, context->dry is made and context->size
 * is the number of processes to plan for. @collective yes: process 0's environment counts
 * @errors HIT_E_ARG a value that is not known */
hit_status hit_dry_open(hit_context *context);
/** Plan and print a call, or count it when it was printed before. */
hit_status hit_dry_launch(const hit_call *call, uint64_t key);
/** What all launches so far would have done, on all processes together. */
void hit_dry_stats(const struct hit_dry *dry, hit_stats *total);
/** Print how often each launch came, and free *dry; accepts NULL in it. */
void hit_dry_close(struct hit_dry **dry);

#endif
