/* SPDX-License-Identifier: MIT
 * A clock that only kernels and slow devices move, each thread's its own: the same times
 * in every run, however busy the machine is. */
#ifndef TESTS_SUPPORT_PLAYED_CLOCK_H
#define TESTS_SUPPORT_PLAYED_CLOCK_H

#include "hit/base/clock.h"
#include "patterns/kernel.h"

/** For hit_context.clock and hit_device_spec.clock. */
extern const hit_clock played_clock;
/** Let @p seconds pass on this thread. */
void played_clock_pass(double seconds);
/** Indices of the box of a run of @p dims dimensions. */
hit_index played_clock_indices(const hit_run *run, int dims);

#endif
