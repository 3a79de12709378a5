/* SPDX-License-Identifier: MIT
 * The system's clock, unless there is another one. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, nanosleep */
#include "hit/base/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static bool is_system(const hit_clock *clock)
{
    return clock == NULL || clock->now_s == NULL;
}

double hit_clock_now(const hit_clock *clock)
{
    struct timespec now;

    if (!is_system(clock)) return clock->now_s();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double hit_clock_crowded(const hit_clock *clock)
{
    FILE *file = NULL;
    double ran_ns = 0;
    double waited_ns = 0;

    if (is_system(clock)) file = fopen("/proc/thread-self/schedstat", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%lf %lf", &ran_ns, &waited_ns) != 2) waited_ns = 0;
    (void)fclose(file);
    return 1e-9 * waited_ns;
}

hit_clock_stretch hit_clock_begin(const hit_clock *clock)
{
    const double crowded_s = hit_clock_crowded(clock);

    return (hit_clock_stretch){hit_clock_now(clock), crowded_s};
}

double hit_clock_took(const hit_clock *clock, hit_clock_stretch since)
{
    const double took_s = hit_clock_now(clock) - since.start_s;

    return fmax(took_s - (hit_clock_crowded(clock) - since.crowded_s), 0);
}

/* Asleep, so that nothing is taken from other threads; the last part awake, since
 * sleeping is not exact. */
void hit_clock_wait_until(const hit_clock *clock, double end_s)
{
    const double awake_s = 2e-4;
    double left_s = end_s - hit_clock_now(clock);

    if (!is_system(clock)) {
        clock->wait_until(end_s);
        return;
    }
    if (left_s > awake_s) {
        const struct timespec nap = {(time_t)(left_s - awake_s),
                                     (long)(fmod(left_s - awake_s, 1.0) * 1e9)};

        nanosleep(&nap, NULL);
    }
    while (left_s > 0) {
        left_s = end_s - hit_clock_now(clock);
    }
}
