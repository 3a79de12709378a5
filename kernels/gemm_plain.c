/* SPDX-License-Identifier: MIT
 * Products in plain C, for builds without BLAS: the blocking of K. Goto, R. van de Geijn,
 * "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008), one thread. We
 * copy B only, in panels so small that they fit the stack. */
#include "kernels/kernels_impl.h"

#include <stdio.h>

/* vector types of gcc and clang, as wide as the cores have them */
typedef float row_of_float __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));
typedef double row_of_double __attribute__((vector_size(__BIGGEST_ALIGNMENT__)));

#define REAL float
#define TYPED(name) name##_float
#include "kernels/gemm_plain_loops.h"

#define REAL double
#define TYPED(name) name##_double
#include "kernels/gemm_plain_loops.h"

/* Complex numbers: row by row. nt and tn transpose, and conjugate nothing. */
/* NOLINTBEGIN(bugprone-macro-parentheses): types */
#define COMPLEX(of, c_type)                                                              \
    hit_status hit_gemm_##of(const hit_gemm *g)                                          \
    {                                                                                    \
        const c_type alpha = *(const c_type *)g->alpha;                                  \
        const c_type beta = *(const c_type *)g->beta;                                    \
                                                                                         \
        for (ptrdiff_t i = 0; i < g->c.rows; i++) {                                      \
            c_type *c = (c_type *)g->c.data + i * g->c.ld;                               \
                                                                                         \
            for (int j = 0; j < g->c.columns; j++) {                                     \
                c[j] = beta == 0 ? 0 : beta * c[j];                                      \
            }                                                                            \
            for (ptrdiff_t k = 0; k < hit_gemm_depth(g); k++) {                          \
                const ptrdiff_t at = g->trans_a ? k * g->a.ld + i : i * g->a.ld + k;     \
                const c_type a = alpha * ((const c_type *)g->a.data)[at];                \
                const c_type *b = (const c_type *)g->b.data +                            \
                                  k * (g->trans_b ? 1 : (ptrdiff_t)g->b.ld);             \
                                                                                         \
                for (ptrdiff_t j = 0; j < g->c.columns; j++) {                           \
                    c[j] += a * b[j * (g->trans_b ? g->b.ld : 1)];                       \
                }                                                                        \
            }                                                                            \
        }                                                                                \
        return HIT_OK;                                                                   \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

COMPLEX(complex_float, hit_complex_float)
COMPLEX(complex_double, hit_complex_double)

hit_status hit_gemm_prepare(void **library)
{
    *library = NULL;
    return HIT_OK;
}

void hit_gemm_library(char *text, size_t size)
{
    snprintf(text, size, "plain C (configured without OpenBLAS)");
}
