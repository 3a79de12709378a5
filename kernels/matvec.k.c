/* SPDX-License-Identifier: MIT
 * y = A x, one element of y per index: a body that loops over what ":" gives it. On a GPU
 * that is a thread per row, whose neighbours read a row apart: cuBLAS is 30 times as
 * fast, and has what it takes (matvec_cublas.c); the grid has the rest. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */
#ifdef __CUDACC__
#define MATVEC(type) MATVEC_OF(hit_matvec_grid_##type, type)
#else
#define MATVEC(type) MATVEC_OF(matvec_##type, type)
#endif
#define MATVEC_OF(name, type)                                                            \
    HIT_OPERATIONS_ALONG(name, 2, 1, 1);                                                 \
    HIT_KERNEL(name, (i),                                                                \
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
