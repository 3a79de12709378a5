/* SPDX-License-Identifier: MIT
 * A context for the trials of a test. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/hit/launch/run_trials.h"

#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/support/check_main.h"

#include <stdlib.h>

const char *const trial_places[TRIAL_PLACES] = {
    "host:threads=2",
    "host:threads=1:staged:memory=64KiB",
    "host:threads=3:staged:memory=2500",
    "host:threads=1 + host:threads=2",
    "host:threads=1:memory=3000 + host:threads=1",
    "host:threads=1"};

/* Of add_trial_tests(). */
static uint64_t trial_seed;
static int trial_times;
static int trial_chained;

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

START_TEST(launches_do_what_loops_do)
{
    run_trials(trial_places[_i], HIT_CHAIN_OFF, trial_seed + (uint64_t)_i,
               hit_random_cases(trial_times));
}
END_TEST

START_TEST(so_they_do_among_chains)
{
    run_trials(trial_places[_i], 16, trial_seed + 100 + (uint64_t)_i,
               hit_random_cases(trial_chained));
}
END_TEST

START_TEST(each_access_is_in_its_pattern)
{
    ck_assert_int_eq(setenv("HIT_CHECK", "loose", 1), 0);
    run_trials(trial_places[_i], HIT_CHAIN_OFF, trial_seed + 200 + (uint64_t)_i, 2);
    ck_assert_int_eq(setenv("HIT_CHECK", "0", 1), 0);
    ck_assert_int_eq(setenv("HIT_COMPARE", "1", 1), 0);
    run_trials(trial_places[_i], HIT_CHAIN_OFF, trial_seed + 300 + (uint64_t)_i, 2);
    ck_assert_int_eq(unsetenv("HIT_CHECK"), 0);
    ck_assert_int_eq(unsetenv("HIT_COMPARE"), 0);
}
END_TEST

START_TEST(schedulers_leave_them_alone)
{
    run_trials_scheduled(trial_places[3], trial_seed + 400, 4);
}
END_TEST

void add_trial_tests(TCase *tests, uint64_t seed, int times, int chained)
{
    trial_seed = seed;
    trial_times = times;
    trial_chained = chained;
    tcase_add_loop_test(tests, launches_do_what_loops_do, 0, TRIAL_PLACES);
    tcase_add_loop_test(tests, so_they_do_among_chains, 0, TRIAL_PLACES);
    tcase_add_loop_test(tests, each_access_is_in_its_pattern, 0, TRIAL_PLACES);
    tcase_add_test(tests, schedulers_leave_them_alone);
}
