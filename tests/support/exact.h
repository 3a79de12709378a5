/* SPDX-License-Identifier: MIT
 * The exact sum of numbers, rounded once, another way than hit/sum.h: as a sum of numbers
 * whose bits do not overlap (J. R. Shewchuk, "Adaptive precision floating-point
 * arithmetic", 1997; Python's math.fsum). */
#ifndef TESTS_SUPPORT_EXACT_H
#define TESTS_SUPPORT_EXACT_H

/** Of finite numbers whose partial sums do not overflow. @p count is at least 0 */
double exact_sum(int count, const double number[]);

#endif
