/* SPDX-License-Identifier: MIT
 * A kernel for tests of measuring. */
#ifndef TESTS_LAYOUTS_NAP_H
#define TESTS_LAYOUTS_NAP_H

#include "patterns/kernel.h"

/** Seconds of the played clock that nap takes for one index. */
#define NAP_S 1e-6

/** Takes time; two dimensions, a stencil. */
extern const hit_kernel nap;
/** How many indices it ran in this process since the last call. */
hit_index nap_indices(void);
/** From now on it takes so many times as long in this process. */
void nap_slow_down(int factor);
/** From now on runs take up to 2 % more, and one in 16 takes @p odd_times times as long,
 * in an order that follows from @p seed; 0: none does. */
void nap_disturb(uint64_t seed, int odd_times);
/** y += a x, two dimensions. */
extern const hit_kernel axpy_in_two;

#endif
