/* SPDX-License-Identifier: MIT
 * A context for the trials of a test. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/hit/launch/run_trials.h"

#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/support/check_main.h"

#include <stdlib.h>

void run_trials(const char *place, int chain, uint64_t seed, int times)
{
    scene s = {.good = true, .random = hit_random_start(seed)};

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place}, &s.hit));
    HIT_MUST(hit_chain(s.hit, chain));
    for (int t = 0; t < times * trial_count && s.good; t++) {
        /* domains are small: those in order are cut into boxes of a few indices */
        s.hit->launcher->ordered.least = pick(&s, 1, 40);
        trials[t % trial_count].run(&s);
        s.good = agree_in_scene(&s);
    }
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s, seed %llu: %s", place, (unsigned long long)seed, s.text);
}

void run_trials_checked(const char *place, uint64_t seed, int times)
{
    ck_assert_int_eq(setenv("HIT_CHECK", "whole", 1), 0);
    ck_assert_int_eq(setenv("HIT_COMPARE", "1", 1), 0);
    run_trials(place, HIT_CHAIN_OFF, seed, times);
    ck_assert_int_eq(unsetenv("HIT_COMPARE"), 0);
    ck_assert_int_eq(unsetenv("HIT_CHECK"), 0);
}

void run_trials_scheduled(const char *place, uint64_t seed, int times)
{
    hit_context *hit = NULL;
    int processes;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    processes = hit_size(hit);
    hit_close(&hit);
    if (processes > 1) return;
    ck_assert_int_eq(setenv("HIT_SCHED", "heft", 1), 0);
    run_trials(place, HIT_CHAIN_OFF, seed, times);
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
}
