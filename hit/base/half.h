/* SPDX-License-Identifier: MIT
 * Floating-point numbers of 16 bits, to store: a kernel computes with float. The same
 * text for C, C++ and CUDA, without a branch, so that compilers vectorise it. Rounding
 * to half by the steps of F. Giesen, "Float->half variants" (2016). */
#ifndef HIT_BASE_HALF_H
#define HIT_BASE_HALF_H

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define HIT_HALF_INLINE static __host__ __device__ inline
#else
#define HIT_HALF_INLINE static inline
#endif

/** IEEE 754's binary16: 11 digits of base 2, up to 65504, a step of 2^-24 at 0. */
typedef struct hit_half {
    uint16_t bits;
} hit_half;

/** The upper half of a float: its range, and 8 digits of base 2. */
typedef struct hit_bfloat16 {
    uint16_t bits;
} hit_bfloat16;

HIT_HALF_INLINE float hit_float_of_bits(uint32_t bits)
{
    float number;

    memcpy(&number, &bits, sizeof(number));
    return number;
}

HIT_HALF_INLINE uint32_t hit_bits_of_float(float number)
{
    uint32_t bits;

    memcpy(&bits, &number, sizeof(bits));
    return bits;
}

/** Exact. */
HIT_HALF_INLINE float hit_half_to_float(hit_half number)
{
    const uint32_t sign = (uint32_t)(number.bits & 0x8000u) << 16;
    const uint32_t size = (uint32_t)(number.bits & 0x7fffu) << 13;
    const uint32_t as_normal = size + ((127u - 15u) << 23);
    /* below 2^-14 there is no leading 1: put one there, and take it off as a number */
    const uint32_t as_small = hit_bits_of_float(
        hit_float_of_bits(size + ((127u - 14u) << 23)) - hit_float_of_bits(113u << 23));
    const uint32_t as_large = size | 0x7f800000u; /* infinity and NaN */

    return hit_float_of_bits(sign | (size < (1u << 23)     ? as_small
                                     : size >= 0x0f800000u ? as_large
                                                           : as_normal));
}

/** The nearest one, of two the even one; 65520 and more become infinity, a NaN stays one.
 */
HIT_HALF_INLINE hit_half hit_half_from_float(float number)
{
    const uint32_t bits = hit_bits_of_float(number);
    const uint32_t size = bits & 0x7fffffffu;
    const uint32_t as_normal =
        (size - ((127u - 15u) << 23) + 0xfffu + ((size >> 13) & 1u)) >> 13;
    /* below 2^-14 an addition rounds, at the step of 2^-24 that 0.5 has */
    const uint32_t as_small =
        hit_bits_of_float(hit_float_of_bits(size < (113u << 23) ? size : 0) + 0.5f) -
        (126u << 23);
    const uint32_t as_large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
    const hit_half made = {
        (uint16_t)(((bits >> 16) & 0x8000u) | (size < (113u << 23)   ? as_small
                                               : size >= 0x47800000u ? as_large
                                                                     : as_normal))};

    return made;
}

/** Exact. */
HIT_HALF_INLINE float hit_bfloat16_to_float(hit_bfloat16 number)
{
    return hit_float_of_bits((uint32_t)number.bits << 16);
}

/** The nearest one, of two the even one; a NaN stays one. */
HIT_HALF_INLINE hit_bfloat16 hit_bfloat16_from_float(float number)
{
    const uint32_t bits = hit_bits_of_float(number);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const uint32_t nan = (bits >> 16) | 0x40u;
    const hit_bfloat16 made = {
        (uint16_t)((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded)};

    return made;
}

#endif
