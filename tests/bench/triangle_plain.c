/* SPDX-License-Identifier: MIT
 * The loops by hand. */
#include "tests/bench/triangle_plain.h"

void triangle_plain(float *restrict a, const float *restrict x, const float *restrict y,
                    long n, long w)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (long i = 0; i < n; i++) {
        const long first = i > w ? i - w : 0;

        for (long j = first; j <= i; j++) {
            a[i * n + j] += x[i] * y[j];
        }
    }
}
