/* SPDX-License-Identifier: MIT
 * mct: task by task the device with the least end plus the time of the copies it needs,
 * StarPU's dmda ("deque model data aware") with its weights alpha = 1 and beta. Copies
 * that go on during earlier tasks cost no time, but they cost the links'. */
#include "hit/sched/sched.h"

#include <stdlib.h>

typedef struct mct {
    const hit_sched_view *view;
    int64_t beta; /**< in hundredths */
} mct;

static hit_status mct_open(const char *options, const hit_sched_view *view, void **state)
{
    mct *made;
    int64_t beta = 100;

    HIT_TRY(hit_sched_option_hundredths("mct", options, "beta", 100000, &beta));
    HIT_TRY(hit_sched_open_state(view, sizeof *made, &made));
    made->beta = beta;
    *state = made;
    return HIT_OK;
}

static hit_status mct_ready(void *state, int by, int count, const int task[])
{
    const mct *m = state;
    const hit_sched_view *view = m->view;

    (void)by;
    for (int k = 0; k < count; k++) {
        int best = -1;
        int64_t least = 0;
        int64_t best_end = 0;

        for (int d = 0; d < view->devices; d++) {
            const int64_t bring = view->bring_ns(view->self, task[k], d);
            const int64_t end = hit_sched_end_ns(view, task[k], d, bring);
            const int64_t cost = 100 * end + m->beta * bring;

            if (end < 0 || (best >= 0 && cost >= least)) continue;
            best = d;
            least = cost;
            best_end = end;
        }
        view->give(view->self, task[k], best, best_end);
    }
    return HIT_OK;
}

const hit_sched_ops hit_sched_mct = {
    .name = "mct",
    .help = "the device with the least end + beta x time of copies; beta=1",
    .open = mct_open,
    .close = free,
    .ready = mct_ready,
    .options = (const char *const[]){"beta", NULL},
};
