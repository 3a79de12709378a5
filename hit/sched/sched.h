/* SPDX-License-Identifier: MIT
 * Internal: what scheduler plug-ins share: options, and the best device. */
#ifndef HIT_SCHED_SCHED_H
#define HIT_SCHED_SCHED_H

#include "hit/sched/policy.h"

#include <stddef.h>

/** "alpha=0.5,cp": fail if a key is not among @p known (NULL-terminated).
 * @errors HIT_E_ARG */
hit_status hit_sched_options_only(const char *scheduler, const char *options,
                                  const char *const known[]);
/** Is the option there? Its value, "" where it has none, goes to @p value. */
bool hit_sched_option(const char *options, const char *key, char *value, size_t size);
/** Read a decimal number in hundredths, "0.5" as 50; *hundredths stays as it is when the
 * option is not given. @errors HIT_E_ARG not from 0 to @p most, or more than 2 decimals
 */
hit_status hit_sched_option_hundredths(const char *scheduler, const char *options,
                                       const char *key, int64_t most,
                                       int64_t *hundredths);

/** When the task would be over on the device: copies go on during earlier tasks. -1: it
 * cannot run there. @param bring_ns hit_sched_view.bring_ns() of it */
int64_t hit_sched_end_ns(const hit_sched_view *view, int task, int device,
                         int64_t bring_ns);
/** The device on which the task is over first, and when. @param host_only look at devices
 * on the host only @returns -1: it can run on none of them */
int hit_sched_first_to_end(const hit_sched_view *view, int task, bool host_only,
                           int64_t *end_ns);
/** Least times on accelerators and on the host; -1: none. */
typedef struct hit_sched_speedup {
    int task;
    int64_t host_ns;
    int64_t accelerator_ns;
} hit_sched_speedup;

hit_sched_speedup hit_sched_speedup_of(const hit_sched_view *view, int task);
/** For qsort(): by falling host_ns / accelerator_ns, compared exactly; what runs on
 * accelerators only first, on the host only last; then by number. */
int hit_sched_speedup_compare(const void *one, const void *other);

/** Does nothing: for plug-ins without state. */
void hit_sched_close_nothing(void *state);

#endif
