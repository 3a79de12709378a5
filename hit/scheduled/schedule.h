/* SPDX-License-Identifier: MIT
 * Which scheduler places the launches of a program (docs/scheduling.md). */
#ifndef HIT_SCHEDULED_SCHEDULE_H
#define HIT_SCHEDULED_SCHEDULE_H

#include "hit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Let @p scheduler, "mct:beta=2", place the launches that follow; those before it run
 * first. It may be a plug-in that the program registered (hit_scheduler_register()). For
 * a simulated machine, and for a process that has a device with a memory of its own: each
 * of several processes places its own launches on its devices, by a scheduler of its own
 * choice or without one. Launches are in chains only where hit_chain() or HIT_CHAIN asks
 * for these.
 * @collective on several processes all of them call it, at the same place; what fails
 * does on this process alone
 * @errors HIT_E_ARG all devices work in place, or launches are checked or only planned;
 * no such scheduler, or not these options: then the launches are placed as before; those
 * of launches before */
HIT_API hit_status hit_schedule(hit_context *context, const char *scheduler);

#ifdef __cplusplus
}
#endif

#endif
