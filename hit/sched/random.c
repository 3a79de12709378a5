/* SPDX-License-Identifier: MIT
 * random: any device that can run the task, each as likely as the others. What others
 * are compared with. */
#include "hit/sched/sched.h"

static hit_status random_ready(void *state, int by, int count, const int task[])
{
    const hit_sched_view *view = state;

    (void)by;
    for (int k = 0; k < count; k++) {
        int devices = 0;
        int device = -1;
        int left;

        for (int d = 0; d < view->devices; d++) {
            devices += view->run_ns(view->self, task[k], d) >= 0;
        }
        if (devices == 0) {
            return HIT_FAIL(HIT_E_ABSENT, "no device can run task %d", task[k]);
        }
        left = (int)(view->random(view->self) % (uint64_t)devices);
        while (left >= 0) {
            device++;
            left -= view->run_ns(view->self, task[k], device) >= 0;
        }
        view->give(view->self, task[k], device,
                   hit_sched_end_ns(view, task[k], device,
                                    view->bring_ns(view->self, task[k], device)));
    }
    return HIT_OK;
}

const hit_sched_ops hit_sched_random = {
    .name = "random",
    .help = "any device that can run the task",
    .open = hit_sched_open_view,
    .close = hit_sched_close_view,
    .ready = random_ready,
};
