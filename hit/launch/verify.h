/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: launches that are checked, compared, or looked at, as the
 * environment asks for. */
#ifndef HIT_LAUNCH_VERIFY_H
#define HIT_LAUNCH_VERIFY_H

#include "hit/launch/launcher.h"

struct hit_verify;

void hit_verify_close(struct hit_verify **verify);
/** Before a launch is planned: read the environment at the first one; HIT_INFER, of a
 * call whose check gave @p checked. @collective yes @errors HIT_E_ARG a value that means
 * nothing; HIT_E_NOMEM, HIT_E_COMM, what the kernel returns */
hit_status hit_verify_begin(const hit_call *call, hit_status checked,
                            hit_launcher *launcher);
/** Carry a plan out, checked before and compared afterwards if that is asked for. A
 * launch with reports is not carried out. @collective yes @errors HIT_E_CHECK on all
 * processes; as hit_launch() */
hit_status hit_verify_run(const hit_call *call, struct hit_verify *verify,
                          hit_launch_plan *plan);

#endif
