/* SPDX-License-Identifier: MIT
 * y = A x, one element of y per index: a body that loops over what ":" gives it. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */
#define MATVEC(type)                                                                     \
    HIT_OPERATIONS_ALONG(matvec_##type, 2, 1, 1);                                        \
    HIT_KERNEL(matvec_##type, (i),                                                       \
        (out, type, y, "[i]"),                                                           \
        (in,  type, a, "[i, :]"),                                                        \
        (in,  type, x, "[:]"))                                                           \
    {                                                                                    \
        type total = 0;                                                                  \
                                                                                         \
        for (hit_index j = hit_begin(a, 1); j <= hit_end(a, 1); j++) {                   \
            total += hit(a, i, j) * hit(x, j);                                           \
        }                                                                                \
        hit(y, i) = total;                                                               \
    }

MATVEC(float)
MATVEC(double)
