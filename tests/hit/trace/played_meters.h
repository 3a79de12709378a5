/* SPDX-License-Identifier: MIT
 * Counters of energy that are played in a folder, which HIT_POWERCAP names: two packages,
 * and what is none. */
#ifndef TESTS_HIT_TRACE_PLAYED_METERS_H
#define TESTS_HIT_TRACE_PLAYED_METERS_H

#include "hit/context.h"

#include <stdint.h>

/** The folder, of process 0 of @p hit. @collective yes, as all below but for the name */
void played_open(hit_context *hit);
void played_close(void);
const char *played_folder(void);
/** Let a counter show so much: only process 0. @collective no */
void played_set(const char *zone, uint64_t microjoules);
/** The counters of both packages go on by these, package 1 beyond its end. */
void played_use(double joules_0, double joules_1);
/** Over all processes. */
double played_sum(double joules);

#endif
