/* SPDX-License-Identifier: MIT
 * Hand-written loops to compare with. */
#include "tests/bench/heat_plain.h"

static inline void heat_row(float *restrict next, const float *restrict now, long m,
                            float c)
{
    for (long j = 1; j < m - 1; j++) {
        next[j] = now[j] +
                  c * (now[j - m] + now[j + m] + now[j - 1] + now[j + 1] - 4.0f * now[j]);
    }
}

void heat_plain_rows(float *next, const float *now, long first, long last, long m,
                     float c)
{
    for (long i = first; i <= last; i++) {
        heat_row(next + i * m, now + i * m, m, c);
    }
}

void heat_plain_threads(float *next, const float *now, long first, long last, long m,
                        float c)
{
#pragma omp parallel for schedule(static)
    for (long i = first; i <= last; i++) {
        heat_row(next + i * m, now + i * m, m, c);
    }
}
