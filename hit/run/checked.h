/* SPDX-License-Identifier: MIT
 * Internal: launches that are checked (HIT_CHECK, HIT_COMPARE, HIT_INFER) before or after
 * they run. */
#ifndef HIT_RUN_CHECKED_H
#define HIT_RUN_CHECKED_H

#include "hit/launch/executor.h"

extern const hit_executor hit_executor_checked;

/** Read the environment of process 0; if it asks for checks, they are the context's
 * executor. @collective yes @errors HIT_E_ARG a variable has an unknown value */
hit_status hit_checked_open(hit_context *context);

#endif
