/* SPDX-License-Identifier: MIT
 * Programs on simulated machines: HIT_DEVICES="simulated:FILE" (docs/scheduling.md). */
#ifndef HIT_SCHEDULED_SCHEDULE_H
#define HIT_SCHEDULED_SCHEDULE_H

#include "hit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Let @p scheduler, "mct:beta=2", place the launches that follow; those before it run
 * first. It may be a plug-in that the program registered (hit_scheduler_register()).
 * @errors HIT_E_ARG the context's devices are not simulated; no such scheduler, or not
 * these options: then the launches are placed as before; those of launches before */
HIT_API hit_status hit_schedule(hit_context *context, const char *scheduler);

#ifdef __cplusplus
}
#endif

#endif
