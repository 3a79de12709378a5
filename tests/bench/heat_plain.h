/* SPDX-License-Identifier: MIT
 * The 5-point stencil as one writes it by hand, compiled with the flags of kernels. */
#ifndef TESTS_BENCH_HEAT_PLAIN_H
#define TESTS_BENCH_HEAT_PLAIN_H

/** next = the stencil of now in rows first..last of a plate whose rows have @p m elements
 * (columns 1 to m - 2); rows first - 1 and last + 1 must be there. */
void heat_plain_rows(float *next, const float *now, long first, long last, long m,
                     float c);
/** The same on all threads of OpenMP. */
void heat_plain_threads(float *next, const float *now, long first, long last, long m,
                        float c);

#endif
