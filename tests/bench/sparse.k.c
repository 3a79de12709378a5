/* SPDX-License-Identifier: MIT
 * A product with a band in rows of 5 entries, which says where its columns stand, and one
 * that may read all of x. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

#define BODY                                                                             \
    double sum = 0;                                                                      \
                                                                                         \
    for (hit_index e = 0; e < 5; e++) {                                                  \
        sum += hit(value, i, e) * hit(x, hit(column, i, e));                             \
    }                                                                                    \
    hit(y, i) = sum;

HIT_KERNEL(sparse_columns, (i),
    (out, double,  y,      "[i]"),
    (in,  double,  x,      "[column]"),
    (in,  double,  value,  "[i, :]"),
    (in,  int32_t, column, "[i, :]"))
{
    BODY
}

HIT_KERNEL(sparse_all, (i),
    (out, double,  y,      "[i]"),
    (in,  double,  x,      "[:]"),
    (in,  double,  value,  "[i, :]"),
    (in,  int32_t, column, "[i, :]"))
{
    BODY
}

HIT_KERNEL(sparse_matrix, (i),
    (out,   double,  value,  "[i, 0:4]"),
    (out,   int32_t, column, "[i, 0:4]"),
    (out,   double,  x,      "[i]"),
    (value, int32_t, n))
{
    for (int32_t e = 0; e < 5; e++) {
        const int32_t j = (int32_t)i + (e == 0 ? -1000 : e == 4 ? 1000 : e - 2);

        hit(value, i, e) = e == 2 ? 0.5 : 0.125;
        hit(column, i, e) = j < 0 ? 0 : j >= n ? n - 1 : j;
    }
    hit(x, i) = (double)(i % 1009);
}
