/* SPDX-License-Identifier: MIT
 * Internal: launches that are planned and printed, and not carried out (HIT_PLAN). */
#ifndef HIT_DRY_DRY_H
#define HIT_DRY_DRY_H

#include "hit/comm/comm.h"
#include "hit/launch/call.h"

extern const hit_executor hit_executor_dry;

/** What the environment asks for. */
typedef struct hit_dry_request {
    int mode;      /**< text, measure or JSON */
    int processes; /**< to plan for; 0: it does not ask for a dry run */
    bool counted;  /**< HIT_PLAN_PROCESSES says how many */
} hit_dry_request;

/** Read HIT_PLAN and HIT_PLAN_PROCESSES of process 0; a group is planned for the
 * processes it has.
 * @collective yes @errors HIT_E_ARG a variable has an unknown value */
hit_status hit_dry_ask(hit_comm *comm, bool is_group, hit_dry_request *request);
/** Let dry be the executor of a context over a planned communicator.
 * @errors HIT_E_NOMEM */
hit_status hit_dry_open(hit_context *context, const hit_dry_request *request);
/** Let a dry run of several processes have chains, as HIT_CHAIN and hit_chain() say.
 * @collective yes */
void hit_dry_open_chains(hit_context *context);

#endif
