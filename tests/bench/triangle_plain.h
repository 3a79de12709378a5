/* SPDX-License-Identifier: MIT
 * Plain C with OpenMP to compare with. */
#ifndef TESTS_BENCH_TRIANGLE_PLAIN_H
#define TESTS_BENCH_TRIANGLE_PLAIN_H

/** a += x y^T for i - w <= j <= i, rows of @p n. */
void triangle_plain(float *restrict a, const float *restrict x, const float *restrict y,
                    long n, long w);

#endif
