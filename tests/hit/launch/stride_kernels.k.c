/* SPDX-License-Identifier: MIT
 * The same kernels for every type of elements. The numbers stay small enough for a byte,
 * so that all types are exact. */
#include "hit/kernel.h"

/* clang-format off */
#define OF_TYPE(type, c_type)                                                            \
    HIT_KERNEL(line_##type, (i), (inout, c_type, a, "[i]"), (in, c_type, b, "[i]"),      \
               (in, c_type, c, "[i-1:i+1:2]"))                                             \
    {                                                                                    \
        hit(a, i) = (c_type)(hit(a, i) + 2 * hit(b, i) +                                 \
                             hit(c, i - 1) + 3 * hit(c, i + 1));                         \
    }                                                                                    \
    HIT_KERNEL(plane_##type, (i, j), (inout, c_type, a, "[i, j]"),                       \
               (in, c_type, b, "[i, j]"), (in, c_type, c, "[i-1, j+1] [i+1, j]"))         \
    {                                                                                    \
        hit(a, i, j) = (c_type)(hit(a, i, j) + 2 * hit(b, i, j) +                        \
                                hit(c, i - 1, j + 1) + 3 * hit(c, i + 1, j));            \
    }                                                                                    \
    HIT_KERNEL(space_##type, (i, j, k), (inout, c_type, a, "[i, j, k]"),                 \
               (in, c_type, b, "[i, j, k]"),                                             \
               (in, c_type, c, "[i-1, j, k+1] [i, j+1, k]"))                           \
    {                                                                                    \
        hit(a, i, j, k) = (c_type)(hit(a, i, j, k) + 2 * hit(b, i, j, k) +               \
                                   hit(c, i - 1, j, k + 1) + 3 * hit(c, i, j + 1, k));   \
    }                                                                                    \
    HIT_KERNEL(total_##type, (i, j), (sum, c_type, column, "[j]"),                       \
               (in, c_type, b, "[i, j]"))                                                \
    {                                                                                    \
        hit(column, j) = (c_type)(hit(column, j) + hit(b, i, j));                        \
    }

OF_TYPE(byte, uint8_t)
OF_TYPE(int, int32_t)
OF_TYPE(long, int64_t)
OF_TYPE(float, float)
OF_TYPE(double, double)
