/* SPDX-License-Identifier: MIT
 * The loops of rows.c as one writes them by hand, compiled with the flags of kernels. */
#include "tests/bench/rows_plain.h"

#include <stddef.h>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

/* no element that is written is read by another index */
#if defined(__GNUC__) && !defined(__clang__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#endif

/* Row (i, j) of an array. */
static inline long row_of(const rows_grid *g, long i, long j)
{
    return (i * g->nj + j) * g->nk;
}

void rows_plain_heat(const rows_grid *g)
{
    const long n = g->nk;

    for (long j = 1; j < g->nj - 1; j++) {
        float *restrict into = g->into + row_of(g, 0, j);
        const float *restrict now = g->from + row_of(g, 0, j);

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
        float *restrict into = g->into + row_of(g, 0, j);
        const float *restrict now = g->from + row_of(g, 0, j);
        const float *restrict speed = g->speed + row_of(g, 0, j);
        const float *restrict damp = g->damp + row_of(g, 0, j);

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
            float *restrict into = g->into + row_of(g, i, j);
            const float *restrict now = g->from + row_of(g, i, j);

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
            float *restrict into = g->into + row_of(g, i, j);
            const float *restrict now = g->from + row_of(g, i, j);
            const float *restrict speed = g->speed + row_of(g, i, j);

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

/* ---- by hand ---- */

#ifdef __AVX512F__
enum {
    PLANES = 4, /* that go through a row together */
    WIDE = 16,  /* elements of a vector */
    REACH = 4
};

static inline __m512 shifted(__m512 low, __m512 high, int by)
{
    const __m512i a = _mm512_castps_si512(low);
    const __m512i b = _mm512_castps_si512(high);

    switch (by) {
    case 1:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 1));
    case 2:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 2));
    case 3:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 3));
    case 4:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 4));
    case 12:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 12));
    case 13:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 13));
    case 14:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 14));
    default:
        return _mm512_castsi512_ps(_mm512_alignr_epi32(b, a, 15));
    }
}

/* Vector k of row j of planes i to i + count - 1. The column of vectors through the
 * planes is loaded once; neighbours in the row come from aligned vectors, not from loads
 * across two lines of the cache. */
static inline __attribute__((always_inline)) void vector_of(const rows_grid *g, long i,
                                                            long j, long k, int count)
{
    static const float weight[] = {0, 1.6f, -0.2f, (float)(8.0 / 315.0),
                                   -(float)(1.0 / 560.0)};
    const long m = g->nj * g->nk;
    const float *now = g->from + row_of(g, i, j) + k;
    const __mmask16 inner = k == 0 ? 0xfff0 : k + WIDE == g->nk ? 0x0fff : 0xffff;
    __m512 column[PLANES + 2 * REACH];

    for (int p = 0; p < count + 2 * REACH; p++) {
        column[p] = _mm512_load_ps(now + (p - REACH) * m);
    }
    for (int p = 0; p < count; p++) {
        const float *at = now + p * m;
        const long element = row_of(g, i + p, j) + k;
        const __m512 here = column[p + REACH];
        const __m512 before = _mm512_load_ps(at - WIDE);
        const __m512 after = _mm512_load_ps(at + WIDE);
        __m512 sum = _mm512_mul_ps(_mm512_set1_ps(-(float)(205.0 / 24.0)), here);

        for (int r = 1; r <= REACH; r++) {
            const __m512 planes =
                _mm512_add_ps(column[p + REACH - r], column[p + REACH + r]);
            const __m512 rows = _mm512_add_ps(_mm512_load_ps(at - r * g->nk),
                                              _mm512_load_ps(at + r * g->nk));
            const __m512 along =
                _mm512_add_ps(shifted(before, here, WIDE - r), shifted(here, after, r));

            sum = _mm512_fmadd_ps(_mm512_set1_ps(weight[r]),
                                  _mm512_add_ps(_mm512_add_ps(planes, rows), along), sum);
        }
        sum = _mm512_fmadd_ps(
            _mm512_load_ps(g->speed + element), sum,
            _mm512_fmsub_ps(_mm512_set1_ps(2), here, _mm512_load_ps(g->into + element)));
        _mm512_mask_store_ps(g->into + element, inner, sum);
    }
}

int rows_hand_wave3(const rows_grid *g)
{
    long i = REACH;

    for (; i + PLANES <= g->ni - REACH; i += PLANES) {
        for (long j = REACH; j < g->nj - REACH; j++) {
            for (long k = 0; k < g->nk; k += WIDE) {
                vector_of(g, i, j, k, PLANES);
            }
        }
    }
    for (; i < g->ni - REACH; i++) {
        for (long j = REACH; j < g->nj - REACH; j++) {
            for (long k = 0; k < g->nk; k += WIDE) {
                vector_of(g, i, j, k, 1);
            }
        }
    }
    return 1;
}
#else
int rows_hand_wave3(const rows_grid *g)
{
    (void)g;
    return 0;
}
#endif
