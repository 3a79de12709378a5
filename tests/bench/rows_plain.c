/* SPDX-License-Identifier: MIT
 * The loops of rows.c as one writes them by hand, compiled with the flags of kernels. */
#include "tests/bench/rows_plain.h"

/* no element that is written is read by another index */
#if defined(__GNUC__) && !defined(__clang__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#endif

void rows_plain_heat(const rows_grid *g)
{
    const long n = g->nk;

    for (long j = 1; j < g->nj - 1; j++) {
        float *restrict into = g->into + rows_at(g, 0, j);
        const float *restrict now = g->from + rows_at(g, 0, j);

        INDEPENDENT
        for (long k = 1; k < n - 1; k++) {
            into[k] = now[k] + 0.1f * (now[k - n] + now[k + n] + now[k - 1] + now[k + 1] -
                                       4.0f * now[k]);
        }
    }
}

void rows_plain_wave(const rows_grid *g)
{
    const long n = g->nk;

    for (long j = 4; j < g->nj - 4; j++) {
        float *restrict into = g->into + rows_at(g, 0, j);
        const float *restrict now = g->from + rows_at(g, 0, j);
        const float *restrict speed = g->speed + rows_at(g, 0, j);
        const float *restrict damp = g->damp + rows_at(g, 0, j);

        INDEPENDENT
        for (long k = 4; k < n - 4; k++) {
            const float n1 = now[k - n] + now[k + n] + now[k - 1] + now[k + 1];
            const float n2 = now[k - 2 * n] + now[k + 2 * n] + now[k - 2] + now[k + 2];
            const float n3 = now[k - 3 * n] + now[k + 3 * n] + now[k - 3] + now[k + 3];
            const float n4 = now[k - 4 * n] + now[k + 4 * n] + now[k - 4] + now[k + 4];
            const float laplace = 1.6f * n1 - 0.2f * n2 + (float)(8.0 / 315.0) * n3 -
                                  (float)(1.0 / 560.0) * n4 -
                                  (float)(205.0 / 36.0) * now[k];

            into[k] = damp[k] * (2.0f * now[k] + speed[k] * laplace - damp[k] * into[k]);
        }
    }
}

void rows_plain_stencil7(const rows_grid *g)
{
    const long n = g->nk;
    const long m = g->nj * n;

    for (long i = 1; i < g->ni - 1; i++) {
        for (long j = 1; j < g->nj - 1; j++) {
            float *restrict into = g->into + rows_at(g, i, j);
            const float *restrict now = g->from + rows_at(g, i, j);

            INDEPENDENT
            for (long k = 1; k < n - 1; k++) {
                into[k] =
                    now[k] + 0.1f * (now[k - m] + now[k + m] + now[k - n] + now[k + n] +
                                     now[k - 1] + now[k + 1] - 6.0f * now[k]);
            }
        }
    }
}

#define PAIR(r)                                                                          \
    (now[k - (r)*m] + now[k + (r)*m] + now[k - (r)*n] + now[k + (r)*n] + now[k - (r)] +  \
     now[k + (r)])

void rows_plain_wave3(const rows_grid *g)
{
    const long n = g->nk;
    const long m = g->nj * n;

    for (long i = 4; i < g->ni - 4; i++) {
        for (long j = 4; j < g->nj - 4; j++) {
            float *restrict into = g->into + rows_at(g, i, j);
            const float *restrict now = g->from + rows_at(g, i, j);
            const float *restrict speed = g->speed + rows_at(g, i, j);

            INDEPENDENT
            for (long k = 4; k < n - 4; k++) {
                const float laplace =
                    1.6f * PAIR(1) - 0.2f * PAIR(2) + (float)(8.0 / 315.0) * PAIR(3) -
                    (float)(1.0 / 560.0) * PAIR(4) - (float)(205.0 / 24.0) * now[k];

                into[k] = 2.0f * now[k] - into[k] + speed[k] * laplace;
            }
        }
    }
}

void rows_plain_fdtd(const rows_grid *g)
{
    const long n = g->nk;

    for (long j = 1; j < g->nj - 1; j++) {
        float *restrict ey = g->ey + rows_at(g, 0, j);
        const float *restrict hz = g->hz + rows_at(g, 0, j);

        INDEPENDENT
        for (long k = 1; k < n - 1; k++) {
            ey[k] -= 0.5f * (hz[k] - hz[k - n]);
        }
    }
    for (long j = 1; j < g->nj - 1; j++) {
        float *restrict ex = g->ex + rows_at(g, 0, j);
        const float *restrict hz = g->hz + rows_at(g, 0, j);

        INDEPENDENT
        for (long k = 1; k < n - 1; k++) {
            ex[k] -= 0.5f * (hz[k] - hz[k - 1]);
        }
    }
    for (long j = 1; j < g->nj - 1; j++) {
        float *restrict hz = g->hz + rows_at(g, 0, j);
        const float *restrict ex = g->ex + rows_at(g, 0, j);
        const float *restrict ey = g->ey + rows_at(g, 0, j);

        INDEPENDENT
        for (long k = 1; k < n - 1; k++) {
            hz[k] -= 0.7f * (ex[k + 1] - ex[k] + ey[k + n] - ey[k]);
        }
    }
}
