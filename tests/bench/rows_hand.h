/* SPDX-License-Identifier: MIT
 * Vectors of floats for rows_hand.c and rows_hand_fdtd.c: AVX-512 where the flags of
 * kernels have it, else AVX2 and FMA; else ROWS_BY_HAND is not defined. What differs is
 * here: how wide they are, neighbours in a row, and stores at the ends of rows. */
#ifndef TESTS_BENCH_ROWS_HAND_H
#define TESTS_BENCH_ROWS_HAND_H

#include "tests/bench/rows_plain.h"

#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__))
#include <immintrin.h>

#define ROWS_BY_HAND

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/** Which vector of a row it is: at its ends are elements that stay as they are. */
typedef enum place {
    FIRST,
    INNER,
    LAST
} place;

enum {
    FAR = 4 /**< the longest reach */
};

#ifdef __AVX512F__
enum {
    WIDE = 16 /**< elements of a vector */
};
typedef __m512 vector;

#define load(at) _mm512_load_ps(at)
#define load_any(at) _mm512_loadu_ps(at)
#define add(a, b) _mm512_add_ps(a, b)
#define subtract(a, b) _mm512_sub_ps(a, b)
#define multiply(a, b) _mm512_mul_ps(a, b)
#define multiply_add(a, b, c) _mm512_fmadd_ps(a, b, c)
#define multiply_subtract(a, b, c) _mm512_fmsub_ps(a, b, c)
#define subtract_product(a, b, c) _mm512_fnmadd_ps(a, b, c) /**< c - a * b */
#define all_of(a) _mm512_set1_ps(a)

/** low and high side by side, from element by of low on */
#define SHIFTED(low, high, by)                                                           \
    _mm512_castsi512_ps(                                                                 \
        _mm512_alignr_epi32(_mm512_castps_si512(high), _mm512_castps_si512(low), by))

/** The vector that begins one element before @p here, or behind its first. */
INLINE vector one_before(vector before, vector here)
{
    return SHIFTED(before, here, WIDE - 1);
}

INLINE vector one_behind(vector here, vector behind)
{
    return SHIFTED(here, behind, 1);
}

/** sum[r] is the neighbour r before and the one r behind. */
INLINE void along_row(vector before, vector here, vector behind, vector sum[FAR + 1])
{
    sum[1] = add(SHIFTED(before, here, WIDE - 1), SHIFTED(here, behind, 1));
    sum[2] = add(SHIFTED(before, here, WIDE - 2), SHIFTED(here, behind, 2));
    sum[3] = add(SHIFTED(before, here, WIDE - 3), SHIFTED(here, behind, 3));
    sum[4] = add(SHIFTED(before, here, WIDE - 4), SHIFTED(here, behind, 4));
}

/** Store but for @p reach elements at an end of the row. */
INLINE void store_inner(float *into, vector all, int reach, place where)
{
    if (where == INNER) {
        _mm512_store_ps(into, all);
    } else {
        _mm512_mask_store_ps(
            into, (__mmask16)(where == FIRST ? 0xffff << reach : 0xffff >> reach), all);
    }
}
#else
enum {
    WIDE = 8
};
typedef __m256 vector;

#define load(at) _mm256_load_ps(at)
#define load_any(at) _mm256_loadu_ps(at)
#define add(a, b) _mm256_add_ps(a, b)
#define subtract(a, b) _mm256_sub_ps(a, b)
#define multiply(a, b) _mm256_mul_ps(a, b)
#define multiply_add(a, b, c) _mm256_fmadd_ps(a, b, c)
#define multiply_subtract(a, b, c) _mm256_fmsub_ps(a, b, c)
#define subtract_product(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define all_of(a) _mm256_set1_ps(a)

/** The upper half of low and the lower half of high. */
#define HALVES(low, high) _mm256_permute2f128_ps(low, high, 0x21)
/** In each half of the vectors: two of the one and two of the other. */
#define ENDS(low, high) _mm256_shuffle_ps(low, high, _MM_SHUFFLE(1, 0, 3, 2))
#define MIDDLES(low, high) _mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 1, 2, 1))
/** In each half: low and high side by side, from element by of low on. */
#define SHIFTED(low, high, by)                                                           \
    _mm256_castsi256_ps(_mm256_alignr_epi8(_mm256_castps_si256(high),                    \
                                           _mm256_castps_si256(low), 4 * (by)))

INLINE vector one_before(vector before, vector here)
{
    return SHIFTED(HALVES(before, here), here, 3);
}

INLINE vector one_behind(vector here, vector behind)
{
    return SHIFTED(here, HALVES(here, behind), 1);
}

/** sum[r] is the neighbour r before and the one r behind: those 4 away are halves of two
 * vectors, those between are in one half of these and one half of what is here. */
INLINE void along_row(vector before, vector here, vector behind, vector sum[FAR + 1])
{
    const vector before4 = HALVES(before, here);
    const vector behind4 = HALVES(here, behind);
    const vector before2 = ENDS(before4, here);
    const vector behind2 = ENDS(here, behind4);

    sum[1] = add(MIDDLES(before2, here), MIDDLES(here, behind2));
    sum[2] = add(before2, behind2);
    sum[3] = add(MIDDLES(before4, before2), MIDDLES(behind2, behind4));
    sum[4] = add(before4, behind4);
}

/** Store but for @p reach elements, 1 or 4, at an end of the row: there is no other
 * thread, and stores by masks take longer than to put back what was there. */
INLINE void store_inner(float *into, vector all, int reach, place where)
{
    if (where == FIRST) {
        all = reach == 1 ? _mm256_blend_ps(all, load(into), 0x01)
                         : _mm256_blend_ps(all, load(into), 0x0f);
    } else if (where == LAST) {
        all = reach == 1 ? _mm256_blend_ps(all, load(into), 0x80)
                         : _mm256_blend_ps(all, load(into), 0xf0);
    }
    _mm256_store_ps(into, all);
}
#endif

/** The three loops, with vectors. */
rows_step rows_hand_fdtd;
#endif

#endif
