/* SPDX-License-Identifier: MIT
 * The trials of a test, on all kinds of devices. */
#ifndef TESTS_HIT_LAUNCH_RUN_TRIALS_H
#define TESTS_HIT_LAUNCH_RUN_TRIALS_H

#include "tests/hit/launch/scene.h"

/** Each of them @p times, on the devices @p place. @collective yes */
void run_trials(const char *place, int chain, uint64_t seed, int times);
/** The same, each launch checked index by index, and compared. */
void run_trials_checked(const char *place, uint64_t seed, int times);
/** The same on one process, where a scheduler places launches. */
void run_trials_scheduled(const char *place, uint64_t seed, int times);

#endif
