/* SPDX-License-Identifier: MIT
 * eager: one list of ready tasks; a device that has room takes the one with the greatest
 * rank that it can run. Fits devices that are alike. */
#include "hit/base/alloc.h"
#include "hit/sched/sched.h"

#include <stdlib.h>

typedef struct eager {
    const hit_sched_view *view;
    int *task;
    int tasks;
    size_t room;
} eager;

static hit_status eager_open(const char *options, const hit_sched_view *view,
                             void **state)
{
    (void)options;
    return hit_sched_open_state(view, sizeof(eager), state);
}

static void eager_close(void *state)
{
    free(((eager *)state)->task);
    free(state);
}

static hit_status eager_ready(void *state, int by, int count, const int task[])
{
    eager *e = state;

    (void)by;
    HIT_TRY(hit_memory_grow((size_t)e->tasks + (size_t)count, &e->room, sizeof *e->task,
                            "scheduler eager", &e->task));
    for (int k = 0; k < count; k++) {
        e->task[e->tasks++] = task[k];
    }
    return HIT_OK;
}

static bool is_better(const eager *e, int a, int b)
{
    const int64_t rank_a = e->view->rank_ns(e->view->self, a);
    const int64_t rank_b = e->view->rank_ns(e->view->self, b);

    return rank_a != rank_b ? rank_a > rank_b : a < b;
}

static int eager_take(void *state, int device)
{
    eager *e = state;
    int best = -1;
    int task;

    for (int k = 0; k < e->tasks; k++) {
        if (e->view->run_ns(e->view->self, e->task[k], device) < 0) continue;
        if (best < 0 || is_better(e, e->task[k], e->task[best])) best = k;
    }
    if (best < 0) return -1;
    task = e->task[best];
    e->task[best] = e->task[--e->tasks];
    return task;
}

const hit_sched_ops hit_sched_eager = {
    .name = "eager",
    .help = "one list for all devices; a device with room takes the greatest rank",
    .open = eager_open,
    .close = eager_close,
    .ready = eager_ready,
    .take = eager_take,
};
