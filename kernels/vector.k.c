/* SPDX-License-Identifier: MIT
 * Kernels on vectors. Totals are kept in double also for floats: a float total of 2^24
 * ones no longer grows. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

/* z = x + y */
#define VECTOR_ADD(type)                                                                 \
    HIT_OPERATIONS(vector_add_##type, 1);                                                \
    HIT_KERNEL(vector_add_##type, (i),                                                   \
        (out, type, z, "[i]"),                                                           \
        (in,  type, x, "[i]"),                                                           \
        (in,  type, y, "[i]"))                                                           \
    {                                                                                    \
        hit(z, i) = hit(x, i) + hit(y, i);                                               \
    }

/* y = y + alpha x */
#define AXPY(type)                                                                       \
    HIT_OPERATIONS(axpy_##type, 2);                                                      \
    HIT_KERNEL(axpy_##type, (i),                                                         \
        (inout, type, y, "[i]"),                                                         \
        (in,    type, x, "[i]"),                                                         \
        (value, type, alpha))                                                            \
    {                                                                                    \
        hit(y, i) += alpha * hit(x, i);                                                  \
    }

/* x = value */
#define FILL(type)                                                                       \
    HIT_KERNEL(fill_##type, (i),                                                         \
        (out,   type, x, "[i]"),                                                         \
        (value, type, value))                                                            \
    {                                                                                    \
        hit(x, i) = value;                                                               \
    }

/* x = alpha x */
#define SCALE(type)                                                                      \
    HIT_OPERATIONS(scale_##type, 1);                                                     \
    HIT_KERNEL(scale_##type, (i),                                                        \
        (inout, type, x, "[i]"),                                                         \
        (value, type, alpha))                                                            \
    {                                                                                    \
        hit(x, i) *= alpha;                                                              \
    }

/* total = sum of x[i] y[i] */
#define DOT(type)                                                                        \
    HIT_OPERATIONS(dot_##type, 2);                                                       \
    HIT_KERNEL(dot_##type, (i),                                                          \
        (sum, double, total, "[]"),                                                      \
        (in,  type, x, "[i]"),                                                           \
        (in,  type, y, "[i]"))                                                           \
    {                                                                                    \
        hit(total) += (double)hit(x, i) * (double)hit(y, i);                             \
    }

/* total = sum of x[i]^2: the square of the 2-norm */
#define NORM2(type)                                                                      \
    HIT_OPERATIONS(norm2_##type, 2);                                                     \
    HIT_KERNEL(norm2_##type, (i),                                                        \
        (sum, double, total, "[]"),                                                      \
        (in,  type, x, "[i]"))                                                           \
    {                                                                                    \
        hit(total) += (double)hit(x, i) * (double)hit(x, i);                             \
    }

/* greatest = max |x[i]|: the maximum norm */
#define MAX_ABS(type)                                                                    \
    HIT_KERNEL(max_abs_##type, (i),                                                      \
        (max, type, greatest, "[]"),                                                     \
        (in,  type, x, "[i]"))                                                           \
    {                                                                                    \
        const type size = hit(x, i) < 0 ? -hit(x, i) : hit(x, i);                        \
                                                                                         \
        hit(greatest) = size > hit(greatest) ? size : hit(greatest);                     \
    }

VECTOR_ADD(float)
VECTOR_ADD(double)
AXPY(float)
AXPY(double)
FILL(float)
FILL(double)
SCALE(float)
SCALE(double)
DOT(float)
DOT(double)
NORM2(float)
NORM2(double)
MAX_ABS(float)
MAX_ABS(double)
