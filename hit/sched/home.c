/* SPDX-License-Identifier: MIT
 * home: the accelerator to which a block-cyclic layout gives the task's block, or a
 * device on the host if that is over first; queues by rank. PaRSEC places tasks on GPUs
 * alike, by the owner of what they write. static: the former only, and the host for what
 * has no other place. */
#include "hit/sched/sched.h"

/** On its accelerator. @returns -1: it has none, or cannot run there */
static int at_home(const hit_sched_view *view, int task, int64_t *end_ns)
{
    const int home = view->home(view->self, task);

    if (home < 0) return -1;
    *end_ns = hit_sched_end_ns(view, task, home, view->bring_ns(view->self, task, home));
    return *end_ns >= 0 ? home : -1;
}

/** Where all else fails: any device. */
static void give(const hit_sched_view *view, int task, int device, int64_t end_ns)
{
    if (device < 0) device = hit_sched_first_to_end(view, task, false, &end_ns);
    view->give(view->self, task, device, end_ns);
}

/* @p always: whatever the host would take. */
static hit_status give_each(const hit_sched_view *view, int count, const int task[],
                            bool always)
{
    for (int k = 0; k < count; k++) {
        int64_t home_end = 0;
        int64_t end = 0;
        const int home = at_home(view, task[k], &home_end);
        const int host = hit_sched_first_to_end(view, task[k], true, &end);

        if (home >= 0 && (always || host < 0 || home_end <= end)) {
            give(view, task[k], home, home_end);
        } else {
            give(view, task[k], host, end);
        }
    }
    return HIT_OK;
}

static hit_status home_ready(void *state, int by, int count, const int task[])
{
    (void)by;
    return give_each(state, count, task, false);
}

static hit_status static_ready(void *state, int by, int count, const int task[])
{
    (void)by;
    return give_each(state, count, task, true);
}

const hit_sched_ops hit_sched_home = {
    .name = "home",
    .help = "the accelerator that owns the task's block, or the host if it ends first",
    .order = HIT_SCHED_RANK,
    .open = hit_sched_open_view,
    .close = hit_sched_close_view,
    .ready = home_ready,
};

const hit_sched_ops hit_sched_static = {
    .name = "static",
    .help = "the accelerator that owns the task's block; the host if it cannot run there",
    .open = hit_sched_open_view,
    .close = hit_sched_close_view,
    .ready = static_ready,
};
