/* SPDX-License-Identifier: MIT
 * A time-blocked loop as one writes it by hand, compiled with the flags of kernels. */
#ifndef TESTS_BENCH_CHAIN_PLAIN_H
#define TESTS_BENCH_CHAIN_PLAIN_H

/** The 5-point averages of the inner elements of a square of @p n x @p n, @p steps times,
 * from @p now to @p next and back, on all threads of OpenMP. */
void chain_plain_float(float *now, float *next, long n, int steps);
void chain_plain_double(double *now, double *next, long n, int steps);

#endif
