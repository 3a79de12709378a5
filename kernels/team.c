/* SPDX-License-Identifier: MIT
 * A step of a factorisation on the threads of a device. */
#include "kernels/team.h"

#include "hit/kernel.h"

#include <stdatomic.h>
#include <stdio.h>

enum {
    LEAST = 64 /* rows or columns for a thread: less takes no longer than to wake it */
};

typedef struct hit_team_work {
    hit_team_step step;
    const void *of;
    int parts;
    atomic_flag failed;
    hit_status status; /* of the part that failed first, and its text: by its thread */
    char text[256];
} hit_team_work;

static void take_part(void *of, int thread, int threads)
{
    hit_team_work *work = of;
    const int parts = threads < work->parts ? threads : work->parts;
    const hit_status status =
        thread < parts ? work->step(work->of, thread, parts) : HIT_OK;

    if (status == HIT_OK || atomic_flag_test_and_set(&work->failed)) return;
    work->status = status;
    (void)snprintf(work->text, sizeof(work->text), "%s", hit_status_text());
}

hit_status hit_team_run(const hit_run *run, int count, hit_team_step step, const void *of)
{
    hit_team_work work = {
        .step = step, .of = of, .parts = count / LEAST, .failed = ATOMIC_FLAG_INIT};

    if (run->team == NULL || work.parts < 2) return step(of, 0, 1);
    hit_run_team(run, take_part, &work);
    return work.status == HIT_OK ? HIT_OK : HIT_FAIL(work.status, "%s", work.text);
}
