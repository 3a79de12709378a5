/* SPDX-License-Identifier: MIT
 * Products in plain C, for builds without BLAS: the blocking of K. Goto, R. van de Geijn,
 * "Anatomy of high-performance matrix multiplication", ACM TOMS 34 (2008), one thread. We
 * copy B only, in panels so small that they fit the stack. */
#include "kernels/gemm.h"

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

hit_status hit_gemm_prepare(void **library)
{
    *library = NULL;
    return HIT_OK;
}

void hit_gemm_library(char *text, size_t size)
{
    snprintf(text, size, "plain C (configured without OpenBLAS)");
}
