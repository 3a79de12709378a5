/* SPDX-License-Identifier: MIT
 * Schedulers by name. */
#ifndef HIT_SCHED_REGISTRY_H
#define HIT_SCHED_REGISTRY_H

#include "hit/sched/policy.h"

HIT_C_BEGIN

/** Read @p text. @param context whose plug-ins are known beside the library's; may be
 * NULL @errors HIT_E_ARG no such scheduler; lists those that there are */
HIT_API hit_status hit_scheduler_read(hit_context *context, const char *text,
                                      hit_scheduler *scheduler);

/** Add a plug-in of the program: afterwards its name can be used.
 * @owner *ops is borrowed until hit_close() @errors HIT_E_ARG a name that exists or that
 * has ' ', ':', ',' or '='; a function that is missing; HIT_E_NOMEM */
HIT_API hit_status hit_scheduler_register(hit_context *context, const hit_sched_ops *ops);

HIT_C_END

#endif
