/* SPDX-License-Identifier: MIT
 * A step of a factorisation on the threads of a device. */
#include "hit/base/status_impl.h"
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

#include <stdatomic.h>

enum {
    LEAST = 64 /* rows or columns for a thread: less takes no longer than to wake it */
};

typedef struct hit_team_work {
    hit_team_step step;
    const void *of;
    int parts;
    atomic_flag failed;
    hit_first first; /* the thread that sets the flag keeps it */
} hit_team_work;

static void take_part(void *of, int thread, int threads)
{
    hit_team_work *work = of;
    const int parts = threads < work->parts ? threads : work->parts;
    const hit_status status =
        thread < parts ? work->step(work->of, thread, parts) : HIT_OK;

    if (status == HIT_OK || atomic_flag_test_and_set(&work->failed)) return;
    hit_first_store(&work->first, status);
}

hit_status hit_team_run(const hit_run *run, int count, hit_team_step step, const void *of)
{
    hit_team_work work;

    if (run->team == NULL || count < 2 * LEAST) return step(of, 0, 1);
    work.step = step;
    work.of = of;
    work.parts = count / LEAST;
    atomic_flag_clear(&work.failed);
    hit_first_begin(&work.first);
    hit_run_team(run, take_part, &work);
    return hit_first_tell(&work.first);
}
