/* SPDX-License-Identifier: MIT
 * Order 8 in three dimensions by hand, compiled with the flags of kernels: with AVX-512
 * where these have it, else with AVX2 and FMA. What differs stands first: vectors, how
 * many planes their registers hold, and neighbours in a row. */
#include "tests/bench/rows_plain.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>

enum {
    REACH = 4
};

#ifdef __AVX512F__
enum {
    PLANES = 4, /* that go through a row together */
    WIDE = 16   /* elements of a vector */
};
typedef __m512 vector;

#define load(at) _mm512_load_ps(at)
#define add(a, b) _mm512_add_ps(a, b)
#define multiply(a, b) _mm512_mul_ps(a, b)
#define multiply_add(a, b, c) _mm512_fmadd_ps(a, b, c)
#define multiply_subtract(a, b, c) _mm512_fmsub_ps(a, b, c)
#define all_of(a) _mm512_set1_ps(a)

/* low and high side by side, from element by of low on */
#define SHIFTED(low, high, by)                                                           \
    _mm512_castsi512_ps(                                                                 \
        _mm512_alignr_epi32(_mm512_castps_si512(high), _mm512_castps_si512(low), by))

/* sum[r] is the neighbour r before and the one r behind. */
static inline void along_row(vector before, vector here, vector after,
                             vector sum[REACH + 1])
{
    sum[1] = add(SHIFTED(before, here, WIDE - 1), SHIFTED(here, after, 1));
    sum[2] = add(SHIFTED(before, here, WIDE - 2), SHIFTED(here, after, 2));
    sum[3] = add(SHIFTED(before, here, WIDE - 3), SHIFTED(here, after, 3));
    sum[4] = add(SHIFTED(before, here, WIDE - 4), SHIFTED(here, after, 4));
}

/* Vector k of a row of nk elements, but for what is too near to an end. */
static inline void store_inner(float *into, long k, long nk, vector all)
{
    _mm512_mask_store_ps(into, k == 0 ? 0xfff0 : k + WIDE == nk ? 0x0fff : 0xffff, all);
}
#else
enum {
    PLANES = 2, /* 16 registers: with 3 and 4 columns are loaded again and again */
    WIDE = 8
};
typedef __m256 vector;

#define load(at) _mm256_load_ps(at)
#define add(a, b) _mm256_add_ps(a, b)
#define multiply(a, b) _mm256_mul_ps(a, b)
#define multiply_add(a, b, c) _mm256_fmadd_ps(a, b, c)
#define multiply_subtract(a, b, c) _mm256_fmsub_ps(a, b, c)
#define all_of(a) _mm256_set1_ps(a)

/* In each half of the vectors: two of the one and two of the other. */
#define ENDS(low, high) _mm256_shuffle_ps(low, high, _MM_SHUFFLE(1, 0, 3, 2))
#define MIDDLES(low, high) _mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 1, 2, 1))

/* sum[r] is the neighbour r before and the one r behind: those 4 away are halves of two
 * vectors, those between are in one half of these and one half of what is here. */
static inline void along_row(vector before, vector here, vector after,
                             vector sum[REACH + 1])
{
    const vector before4 = _mm256_permute2f128_ps(before, here, 0x21);
    const vector after4 = _mm256_permute2f128_ps(here, after, 0x21);
    const vector before2 = ENDS(before4, here);
    const vector after2 = ENDS(here, after4);

    sum[1] = add(MIDDLES(before2, here), MIDDLES(here, after2));
    sum[2] = add(before2, after2);
    sum[3] = add(MIDDLES(before4, before2), MIDDLES(after2, after4));
    sum[4] = add(before4, after4);
}

/* Vector k of a row of nk elements, but for what is too near to an end. */
static inline void store_inner(float *into, long k, long nk, vector all)
{
    if (k == 0) {
        _mm_store_ps(into + REACH, _mm256_extractf128_ps(all, 1));
    } else if (k + WIDE == nk) {
        _mm_store_ps(into, _mm256_castps256_ps128(all));
    } else {
        _mm256_store_ps(into, all);
    }
}
#endif

/* Row j of planes i to i + count - 1. The column of vectors through the planes is loaded
 * once; neighbours in the row come from aligned vectors, not from loads across two lines
 * of the cache. */
static inline __attribute__((always_inline)) void row_of(const rows_grid *g, long i,
                                                         long j, int count)
{
    static const float weight[] = {-(float)(205.0 / 24.0), 1.6f, -0.2f,
                                   (float)(8.0 / 315.0), -(float)(1.0 / 560.0)};
    const long n = g->nk;
    const long m = g->nj * n;
    const float *from = g->from + rows_at(g, i, j);
    const float *speed = g->speed + rows_at(g, i, j);
    float *into = g->into + rows_at(g, i, j);

    for (long k = 0; k < n; k += WIDE) {
        vector column[PLANES + 2 * REACH];

        for (int p = 0; p < count + 2 * REACH; p++) {
            column[p] = load(from + k + (p - REACH) * m);
        }
        for (int p = 0; p < count; p++) {
            const float *at = from + k + p * m;
            const vector here = column[p + REACH];
            vector along[REACH + 1];
            vector sum = multiply(all_of(weight[0]), here);

            along_row(load(at - WIDE), here, load(at + WIDE), along);
            for (int r = 1; r <= REACH; r++) {
                const vector planes = add(column[p + REACH - r], column[p + REACH + r]);
                const vector rows = add(load(at - r * n), load(at + r * n));

                sum = multiply_add(all_of(weight[r]), add(add(planes, rows), along[r]),
                                   sum);
            }
            sum =
                multiply_add(load(speed + k + p * m), sum,
                             multiply_subtract(all_of(2), here, load(into + k + p * m)));
            store_inner(into + k + p * m, k, n, sum);
        }
    }
}

int rows_hand_wave3(const rows_grid *g)
{
    long i = REACH;

    for (; i + PLANES <= g->ni - REACH; i += PLANES) {
        for (long j = REACH; j < g->nj - REACH; j++) {
            row_of(g, i, j, PLANES);
        }
    }
    for (; i < g->ni - REACH; i++) {
        for (long j = REACH; j < g->nj - REACH; j++) {
            row_of(g, i, j, 1);
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
