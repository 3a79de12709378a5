/* SPDX-License-Identifier: MIT
 * A kernel for tests of measuring. */
#ifndef TESTS_LAYOUTS_NAP_H
#define TESTS_LAYOUTS_NAP_H

#include "patterns/kernel.h"

/** Seconds that nap takes for one index. */
#define NAP_S 1e-6

/** Sleeps; two dimensions, a stencil. */
extern const hit_kernel nap;
/** For how many indices it slept in this process since the last call. */
hit_index nap_indices(void);
/** From now on it sleeps so many times as long in this process. */
void nap_slow_down(int factor);
/** y += a x, two dimensions. */
extern const hit_kernel axpy_in_two;

#endif
