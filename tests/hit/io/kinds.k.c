/* SPDX-License-Identifier: MIT
 * Reductions of each kind of elements. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

#define SUM(name, c_type)                                                                                      \
    HIT_KERNEL(sum_of_##name, (i, j), (sum, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                     \
    {                                                                                                          \
        hit(all) = (c_type)(hit(all) + hit(a, i, j));                                                          \
    }
#define ENDS(name, c_type)                                                                                     \
    HIT_KERNEL(least_of_##name, (i, j), (min, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                   \
    {                                                                                                          \
        if (hit(a, i, j) < hit(all)) hit(all) = hit(a, i, j);                                                  \
    }                                                                                                          \
    HIT_KERNEL(most_of_##name, (i, j), (max, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                    \
    {                                                                                                          \
        if (hit(a, i, j) > hit(all)) hit(all) = hit(a, i, j);                                                  \
    }
#define STORED(name, c_type)                                                                                   \
    HIT_KERNEL(sum_of_##name, (i, j), (sum, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                     \
    {                                                                                                          \
        hit(all) = c_type##_from_float(c_type##_to_float(hit(all)) + c_type##_to_float(hit(a, i, j)));         \
    }                                                                                                          \
    HIT_KERNEL(least_of_##name, (i, j), (min, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                   \
    {                                                                                                          \
        if (c_type##_to_float(hit(a, i, j)) < c_type##_to_float(hit(all))) hit(all) = hit(a, i, j);            \
    }                                                                                                          \
    HIT_KERNEL(most_of_##name, (i, j), (max, c_type, all, "[]"), (in, c_type, a, "[i, j]"))                    \
    {                                                                                                          \
        if (c_type##_to_float(hit(a, i, j)) > c_type##_to_float(hit(all))) hit(all) = hit(a, i, j);            \
    }
/* the rows of HIT_KINDS, which kernels use themselves */
SUM(float, float)
SUM(double, double)
SUM(int8, int8_t)
SUM(int16, int16_t)
SUM(int32, int32_t)
SUM(int64, int64_t)
SUM(uint8, uint8_t)
SUM(uint16, uint16_t)
SUM(uint32, uint32_t)
SUM(uint64, uint64_t)
SUM(bool, bool)
SUM(complex_float, hit_complex_float)
SUM(complex_double, hit_complex_double)
STORED(half, hit_half)
STORED(bfloat16, hit_bfloat16)
ENDS(float, float)
ENDS(double, double)
ENDS(int8, int8_t)
ENDS(int16, int16_t)
ENDS(int32, int32_t)
ENDS(int64, int64_t)
ENDS(uint8, uint8_t)
ENDS(uint16, uint16_t)
ENDS(uint32, uint32_t)
ENDS(uint64, uint64_t)
ENDS(bool, bool)

/* What complex numbers have beside sums. */
HIT_KERNEL(turn, (i, j), (inout, hit_complex_float, a, "[i, j]"), (value, hit_complex_float, by))
{
    hit(a, i, j) = hit_conj(hit(a, i, j)) * by - 2.0f * hit(a, i, j);
    hit(a, i, j) += hit_complexf(hit_im(by), 0.5f * hit_re(hit(a, i, j)));
}
