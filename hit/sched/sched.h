/* SPDX-License-Identifier: MIT
 * Internal: what scheduler plug-ins share: options, and the best device. */
#ifndef HIT_SCHED_SCHED_H
#define HIT_SCHED_SCHED_H

#include "hit/sched/policy.h"

/** Is @p key among the options, "alpha=0.5,cp"? It has no value.
 * @errors HIT_E_ARG it has one */
hit_status hit_sched_option_flag(const char *scheduler, const char *options,
                                 const char *key, bool *is_there);
/** Read which of the words @p known (NULL-terminated) an option says; *number stays as it
 * is when it is not given. @errors HIT_E_ARG none of them */
hit_status hit_sched_option_word(const char *scheduler, const char *options,
                                 const char *key, const char *const known[], int *number);
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

/** A state of @p size_bytes bytes, cleared, whose first member is the view; the caller's.
 * @errors HIT_E_NOMEM */
hit_status hit_sched_open_state(const hit_sched_view *view, size_t size_bytes,
                                void *state_pointer);
/** For plug-ins without options and without a state but the view. */
hit_status hit_sched_open_view(const char *options, const hit_sched_view *view,
                               void **state);
void hit_sched_close_view(void *state);

#endif
