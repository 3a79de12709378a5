/* SPDX-License-Identifier: MIT
 * What hit() is in the vector half of a kernel file: a vector of elements side by side.
 * One that begins between two vectors, as that of hit(now, i, j - 1) does, is put
 * together from both: loaded, it would take two lines of the cache, and the compiler does
 * so for each of them. */
#ifndef HIT_KERNEL_LANES_H
#define HIT_KERNEL_LANES_H

#include "hit/kernel.h"

#ifdef HIT_KERNEL_VECTOR_HALF
#ifdef __clang__ /* which takes a vector of one type for one of another */
#pragma clang diagnostic error "-Wvector-conversion"
#endif

#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#define HIT_LANES_OF(type)                                                               \
    typedef type hit_lanes_##type                                                        \
        __attribute__((vector_size(HIT_VECTOR_BYTES), aligned(sizeof(type)), may_alias))
HIT_LANES_OF(float);
HIT_LANES_OF(double);
HIT_LANES_OF(int);
HIT_LANES_OF(hit_index);

/* low and high side by side, from @p by of the 4 bytes of low on; and of a vector the
 * words that are chosen, stored without the others */
#if HIT_VECTOR_BYTES == 64
#define HIT_STORE(at, chosen, from, until, all)                                          \
    _mm512_mask_storeu_epi32(at, (__mmask16)((1U << (until)) - (1U << (from))), all)
#define HIT_SHIFTED(low, high, by) _mm512_alignr_epi32(high, low, by)
#define HIT_WORDS                                                                        \
    {                                                                                    \
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15                             \
    }
typedef __m512i_u hit_words;
#elif defined(__AVX2__)
#define HIT_STORE(at, chosen, from, until, all) _mm256_maskstore_epi32(at, chosen, all)
#define HIT_HALVES(low, high) _mm256_permute2x128_si256(low, high, 0x21)
#define HIT_SHIFTED(low, high, by)                                                       \
    ((by) < 4 ? _mm256_alignr_epi8(HIT_HALVES(low, high), low, 4 * (by) % 16)            \
              : _mm256_alignr_epi8(high, HIT_HALVES(low, high), 4 * (by) % 16))
#define HIT_WORDS                                                                        \
    {                                                                                    \
        0, 1, 2, 3, 4, 5, 6, 7                                                           \
    }
typedef __m256i_u hit_words;
#else /* the compiler's own rows are as fast; bodies are still held to vectors */
#define HIT_STORE(at, chosen, from, until, all) ((void)0)
#define HIT_SHIFTED(low, high, by) (low)
#define HIT_WORDS                                                                        \
    {                                                                                    \
        0, 1, 2, 3                                                                       \
    }
typedef hit_lanes_int hit_words;
#endif

/* May elements of a row be read that are not needed? A sanitizer would say that another
 * thread writes them. */
#if HIT_SHIFTS && !defined(__SANITIZE_THREAD__)
#define HIT_READS_ROWS 1
#else
#define HIT_READS_ROWS 0
#endif

/* May they be computed with? Not where the program lets exceptions of floating-point
 * numbers trap, as gfortran's -ffpe-trap does. */
#if HIT_SHIFTS
#define HIT_QUIET ((_mm_getcsr() & _MM_MASK_MASK) == _MM_MASK_MASK)
#else
#define HIT_QUIET 0
#endif

/* ---- what a body has ---- */

/* Its vector: whether the vectors before it and behind it may be read, and its first
 * index. */
#define HIT_BODY_PARAM                                                                   \
    const int hit_shifts_ HIT_UNUSED, const hit_index hit_at_ HIT_UNUSED
#define HIT_BODY_OF hit_shifts_, hit_at_

/* The last index stands for those of the vector, and is no number: it is good for hit()
 * alone, or one that is a constant away from it. It is a vector itself, which no cast and
 * no condition takes: of one and the same distance beside a large number and beside 0. */
typedef uint64_t hit_last_index __attribute__((vector_size(2 * sizeof(hit_index))));
#define HIT_FAR_OFF (1U << 20)
#define HIT_LAST_INDEX ((hit_last_index){HIT_FAR_OFF, 0})
#define HIT_IS_LAST(i) _Generic((i), hit_last_index : 1, default : 0)
#define HIT_AWAY(i) _Generic((i), hit_last_index : hit_away, default : hit_itself)(i)
/* A call that is left is an error. Without optimization all are left, and with sanitizers
 * some. */
#define HIT_REFUSED(text) __attribute__((error(text)))
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define HIT_REFUSES 1
#else
#define HIT_REFUSES 0
#endif
HIT_REFUSED("the last index of a HIT_VECTOR_KERNEL stands in hit() as j, j - 1 or j + 2")
void hit_no_last_index(void);
static HIT_INLINE hit_index hit_away(hit_last_index i)
{
    /* of 2 * j, j / 2, -j this is another number */
    if (HIT_REFUSES && i[0] - i[1] != HIT_FAR_OFF) hit_no_last_index();
    return (hit_index)i[1];
}

static HIT_INLINE hit_index hit_itself(hit_index i)
{
    return i;
}
/* As a number. */
#define HIT_NUMBER(i) (HIT_AWAY(i) + (HIT_IS_LAST(i) ? hit_at_ : 0))

#define HIT_AT_1(name) (*HIT_LANES_AT(name, 0, 0))
#define HIT_AT_2(name, i)                                                                \
    (*HIT_LANES_AT(name, i, hit_slot_at1(hit_s_##name, HIT_NUMBER(i))))
#define HIT_AT_3(name, i, j)                                                             \
    (*HIT_LANES_AT(name, j, hit_slot_at2(hit_s_##name, (i), HIT_NUMBER(j))))
#define HIT_AT_4(name, i, j, k)                                                          \
    (*HIT_LANES_AT(name, k, hit_slot_at3(hit_s_##name, (i), (j), HIT_NUMBER(k))))
#define HIT_AT_5(name, i, j, k, l)                                                       \
    (*HIT_LANES_AT(name, l, hit_slot_at4(hit_s_##name, (i), (j), (k), HIT_NUMBER(l))))
#define HIT_LANES_AT(name, last, at)                                                     \
    ((__typeof__(hit_p_##name))(hit_w_##name                                             \
                                    ? hit_lanes_made(hit_p_##name, HIT_IS_LAST(last),    \
                                                     HIT_LANES_AWAY(last))               \
                                    : hit_lanes_at((void *)(uintptr_t) &                 \
                                                       (__typeof__(*hit_p_##name)){0},   \
                                                   (const char *)hit_p_##name +          \
                                                       (at)*hit_s_##name->size,          \
                                                   hit_s_##name->size,                   \
                                                   HIT_IS_LAST(last),                    \
                                                   HIT_LANES_AWAY(last), hit_shifts_)))
#define HIT_LANES_AWAY(last) (HIT_IS_LAST(last) ? HIT_AWAY(last) : 0)

#define HIT_SHIFT_CASE(n)                                                                \
    case n:                                                                              \
        return HIT_SHIFTED(low, high, n);

/* The vector that begins so many words from the one at @p middle, made of this one and of
 * the one before or behind it. */
static HIT_INLINE hit_words hit_shift(const char *middle, hit_index words)
{
    const char *first = words < 0 ? middle - HIT_VECTOR_BYTES : middle;
    const hit_words low = *(const hit_words *)first;
    const hit_words high HIT_UNUSED = *(const hit_words *)(first + HIT_VECTOR_BYTES);

    switch (words < 0 ? words + HIT_VECTOR_BYTES / 4 : words) {
        HIT_SHIFT_CASE(1)
        HIT_SHIFT_CASE(2)
        HIT_SHIFT_CASE(3)
        HIT_SHIFT_CASE(4)
        HIT_SHIFT_CASE(5)
        HIT_SHIFT_CASE(6)
        HIT_SHIFT_CASE(7)
#if HIT_VECTOR_BYTES == 64
        HIT_SHIFT_CASE(8)
        HIT_SHIFT_CASE(9)
        HIT_SHIFT_CASE(10)
        HIT_SHIFT_CASE(11)
        HIT_SHIFT_CASE(12)
        HIT_SHIFT_CASE(13)
        HIT_SHIFT_CASE(14)
        HIT_SHIFT_CASE(15)
#endif
    }
    return low;
}

HIT_REFUSED("a HIT_VECTOR_KERNEL touches what it writes at its own index alone")
void hit_touches_elsewhere(void);
/* What is written, which is at @p made, beside the tile. */
static HIT_INLINE void *hit_lanes_made(const void *made, int is_last, hit_index away)
{
    if (HIT_REFUSES && (!is_last || away != 0)) hit_touches_elsewhere();
    return (void *)(uintptr_t)made;
}

/* Elements of a tile from @p element on, each of @p size bytes, in @p scratch, made of
 * vectors @p away from which they begin. Where the index is not the last one, that one
 * element is there for all. */
static HIT_INLINE void *hit_lanes_at(void *scratch, const char *element, hit_index size,
                                     int is_last, hit_index away, int shifts)
{
    const hit_index by = away * size;

    if (!is_last) {
        for (hit_index k = 0; k < HIT_VECTOR_BYTES / size; k++) {
            memcpy((char *)scratch + k * size, element, (size_t)size);
        }
        return scratch;
    }
    if (!HIT_SHIFTS || !shifts || !__builtin_constant_p(by) || by == 0 ||
        by >= HIT_VECTOR_BYTES || by <= -HIT_VECTOR_BYTES) {
        *(hit_words *)scratch = *(const hit_words *)element;
    } else {
        *(hit_words *)scratch = hit_shift(element - by, by / 4);
    }
    return scratch;
}

/* Its parameters. */
#define HIT_LANES_PARAM(k, arg) HIT_BY_MODE(HIT_LANES_PARAM_, k, HIT_STRIP arg)
#define HIT_LANES_PARAM_R(k, t, n, ...)                                                  \
    , hit_lanes_##t *HIT_RESTRICT hit_p_##n HIT_UNUSED,                                  \
        const hit_place *hit_s_##n HIT_UNUSED HIT_IS_WRITTEN(n)
#define HIT_LANES_PARAM_W(k, t, n, ...) HIT_LANES_PARAM_R(k, t, n, )
#define HIT_LANES_PARAM_V(k, t, n, ...) , const t n HIT_UNUSED
#define HIT_LANES_PASS(k, arg) HIT_BY_MODE(HIT_LANES_PASS_, k, HIT_STRIP arg)
#define HIT_LANES_PASS_R(k, t, n, ...) , hit_p_##n, hit_s_##n, 0
#define HIT_LANES_PASS_W(k, t, n, ...) , hit_p_##n, hit_s_##n, 1
#define HIT_LANES_PASS_V(k, t, n, ...) , n
#define HIT_LANES_ACTUAL(k, arg) HIT_BY_MODE(HIT_LANES_ACTUAL_, k, HIT_STRIP arg)
#define HIT_LANES_ACTUAL_R(k, t, n, ...) , (hit_lanes_##t *)hit_p_##n, &hit_s_##n, 0
#define HIT_LANES_ACTUAL_W(k, t, n, ...) , (hit_lanes_##t *)hit_p_##n, &hit_s_##n, 1
#define HIT_LANES_ACTUAL_V(k, t, n, ...) , n
#define HIT_LANES_SLOT(k, arg) HIT_BY_MODE(HIT_LANES_SLOT_, k, HIT_STRIP arg)
#define HIT_LANES_SLOT_R(k, t, n, ...)                                                   \
    hit_place hit_s_##n = {hit_run_->slot[k], {0}, {0}, sizeof(t), 0};                   \
    hit_s_##n.slot.dense = 1;
#define HIT_LANES_SLOT_W(k, t, n, ...) HIT_LANES_SLOT_R(k, t, n, )
#define HIT_LANES_SLOT_V(k, t, n, ...)
#define HIT_LANES_INDEX(index) HIT_CAT(HIT_LANES_INDEX_, HIT_COUNT index) index
#define HIT_LANES_INDEX_1(i) , const hit_last_index i HIT_UNUSED
#define HIT_LANES_INDEX_2(i, ...)                                                        \
    , const hit_index i HIT_UNUSED HIT_LANES_INDEX_1(__VA_ARGS__)
#define HIT_LANES_INDEX_3(i, ...)                                                        \
    , const hit_index i HIT_UNUSED HIT_LANES_INDEX_2(__VA_ARGS__)
#define HIT_LANES_INDEX_4(i, ...)                                                        \
    , const hit_index i HIT_UNUSED HIT_LANES_INDEX_3(__VA_ARGS__)
#endif

#endif
