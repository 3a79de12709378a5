/* SPDX-License-Identifier: MIT
 * steal: work stealing. Ready tasks go to the device whose task released them; a device
 * takes its newest one, and one that has none takes the oldest of a victim, the victims
 * in random order. With affinity, as in XKaapi [Gautier2013]: a task goes to the
 * accelerator that holds most of what it writes, and a thief prefers a task of which it
 * holds something. */
#include "hit/base/alloc.h"
#include "hit/sched/sched.h"

#include <stdlib.h>

/** A list of tasks, the oldest first. */
typedef struct deque {
    int *task;
    int count;
    size_t room;
} deque;

typedef struct steal {
    const hit_sched_view *view;
    bool affinity;
    deque of[]; /**< one per device */
} steal;

static hit_status steal_open(const char *options, const hit_sched_view *view,
                             void **state)
{
    bool affinity;
    steal *made;

    HIT_TRY(hit_sched_option_flag("steal", options, "affinity", &affinity));
    HIT_TRY(hit_sched_open_state(
        view, sizeof *made + (size_t)view->devices * sizeof made->of[0], &made));
    made->affinity = affinity;
    *state = made;
    return HIT_OK;
}

static void steal_close(void *state)
{
    steal *s = state;

    for (int d = 0; d < s->view->devices; d++) {
        free(s->of[d].task);
    }
    free(s);
}

/** The accelerator that holds most of what the task writes and can run it; @p otherwise
 * if none holds any. */
static int holder(const steal *s, int task, int otherwise)
{
    int best = otherwise;
    int64_t most = otherwise >= 0 && otherwise < s->view->accelerators
                       ? s->view->held_bytes(s->view->self, task, otherwise, true)
                       : 0;

    for (int d = 0; d < s->view->accelerators; d++) {
        const int64_t held = s->view->held_bytes(s->view->self, task, d, true);

        if (held <= most || s->view->run_ns(s->view->self, task, d) < 0) continue;
        best = d;
        most = held;
    }
    return best;
}

static hit_status steal_ready(void *state, int by, int count, const int task[])
{
    steal *s = state;

    for (int k = 0; k < count; k++) {
        /* what was ready from the beginning is dealt out */
        int to = by >= 0 ? by : k % s->view->devices;
        deque *list;

        if (s->affinity) to = holder(s, task[k], to);
        list = &s->of[to];
        HIT_TRY(HIT_ONE_MORE(list->task, list->count, list->room, "scheduler steal"));
        list->task[list->count++] = task[k];
    }
    return HIT_OK;
}

static int take_at(deque *list, int at)
{
    const int task = list->task[at];

    list->count--;
    for (int k = at; k < list->count; k++) {
        list->task[k] = list->task[k + 1];
    }
    return task;
}

/** A task of @p victim; -1: it has none that @p device can run. */
static int rob(steal *s, int victim, int device)
{
    const hit_sched_view *view = s->view;
    deque *list = &s->of[victim];
    int oldest = -1;

    for (int k = 0; k < list->count; k++) {
        if (view->run_ns(view->self, list->task[k], device) < 0) continue;
        if (oldest < 0) oldest = k;
        if (!s->affinity || device >= view->accelerators) break;
        if (view->held_bytes(view->self, list->task[k], device, true) == 0) continue;
        oldest = k;
        break;
    }
    return oldest >= 0 ? take_at(list, oldest) : -1;
}

static int steal_take(void *state, int device)
{
    steal *s = state;
    deque *own = &s->of[device];
    int waiting = 0;
    int from;

    for (int k = own->count - 1; k >= 0; k--) {
        if (s->view->run_ns(s->view->self, own->task[k], device) >= 0) {
            return take_at(own, k);
        }
    }
    for (int d = 0; d < s->view->devices; d++) {
        waiting += s->of[d].count;
    }
    if (waiting == 0) return -1;
    /* a random one, and from there on all of them, so that nothing is left alone */
    from = (int)(s->view->random(s->view->self) % (uint64_t)s->view->devices);
    for (int k = 0; k < s->view->devices; k++) {
        const int task = rob(s, (from + k) % s->view->devices, device);

        if (task >= 0) return task;
    }
    return -1;
}

const hit_sched_ops hit_sched_steal = {
    .name = "steal",
    .help = "own tasks first, then others'; affinity: where what they write is",
    .open = steal_open,
    .close = steal_close,
    .ready = steal_ready,
    .take = steal_take,
    .options = (const char *const[]){"affinity", NULL},
};
