/* SPDX-License-Identifier: MIT
 * The time is one number for each thread; waiting moves it. */
#include "tests/support/played_clock.h"

static _Thread_local double time_s;

static double now_s(void)
{
    return time_s;
}

static void wait_until(double end_s)
{
    if (end_s > time_s) time_s = end_s;
}

const hit_clock played_clock = {.now_s = now_s, .wait_until = wait_until};

void played_clock_pass(double seconds)
{
    time_s += seconds;
}

hit_index played_clock_indices(const hit_run *run, int dims)
{
    hit_index count = 1;

    for (int d = 0; d < dims; d++) {
        if (run->end[d] < run->begin[d]) return 0;
        count *= (run->end[d] - run->begin[d]) / run->stride[d] + 1;
    }
    return count;
}
