/* SPDX-License-Identifier: MIT
 * The schedulers that come with the library: one line each. */
#include "hit/sched/policy.h"

#define EACH_SCHEDULER(DO)                                                               \
    DO(hit_sched_eager)                                                                  \
    DO(hit_sched_random)                                                                 \
    DO(hit_sched_steal)                                                                  \
    DO(hit_sched_static)                                                                 \
    DO(hit_sched_home)                                                                   \
    DO(hit_sched_mct)                                                                    \
    DO(hit_sched_heft)                                                                   \
    DO(hit_sched_heftrank)                                                               \
    DO(hit_sched_dada)

#define DECLARE(ops) extern const hit_sched_ops ops;
#define ADDRESS(ops) &(ops),

EACH_SCHEDULER(DECLARE)

const hit_sched_ops *const hit_scheduler_table[] = {EACH_SCHEDULER(ADDRESS)};
const int hit_scheduler_table_count =
    sizeof hit_scheduler_table / sizeof hit_scheduler_table[0];
