/* SPDX-License-Identifier: MIT
 * The trials of a test, on all kinds of devices. */
#ifndef TESTS_HIT_LAUNCH_RUN_TRIALS_H
#define TESTS_HIT_LAUNCH_RUN_TRIALS_H

#include "tests/hit/launch/scene.h"

#include <check.h>

enum {
    TRIAL_PLACES = 6
};

/** Devices in place, with memories of their own, and several of a process. */
extern const char *const trial_places[TRIAL_PLACES];

/** Each of them @p times, on the devices @p place. @collective yes */
void run_trials(const char *place, int chain, uint64_t seed, int times);
/** The same, each launch checked index by index, and compared. */
void run_trials_checked(const char *place, uint64_t seed, int times);
/** The same on one process, where a scheduler places launches. */
void run_trials_scheduled(const char *place, uint64_t seed, int times);
/** Add the tests that launches do what plain loops do, on all devices, @p times, @p
 * chained times where chains may be, and checked; also where a scheduler is asked for. */
void add_trial_tests(TCase *tests, uint64_t seed, int times, int chained);

#endif
