/* SPDX-License-Identifier: MIT
 * Internal to kernels/gemm*.c: one product of row-major matrices, C = alpha A B + beta C.
 */
#ifndef KERNELS_GEMM_H
#define KERNELS_GEMM_H

#include "kernels/kernels.h"

/** C is m x n, A is m x k, B is k x n; ld are elements from one row to the next. */
typedef struct hit_gemm {
    int m, n, k;
    int lda, ldb, ldc;
    const void *alpha; /**< of the element type, like all of these */
    const void *beta;
    const void *a;
    const void *b;
    void *c;
    int threads;         /**< how many may be used */
    const void *library; /**< by hit_gemm_prepare() */
} hit_gemm;

/** What @p run of a gemm kernel asks for, for elements of @p size_bytes.
 * @errors HIT_E_ARG rows that are not contiguous, columns of A that are not the rows of
 *         B, a size beyond INT_MAX */
hit_status hit_gemm_read(const hit_run *run, size_t size_bytes, hit_gemm *gemm);

/** Get ready to multiply on the host. @owner *library: free() @errors HIT_E_NOMEM;
 * HIT_E_ABSENT a library that was there when this was built is missing */
hit_status hit_gemm_prepare(void **library);
/** gemm_openblas.c: the kernels to ask for where the library takes @p kernels by itself;
 * NULL: these. @p setting is the user's, or NULL; @p avx512: the core has it */
const char *hit_gemm_choose(const char *kernels, const char *setting, bool avx512);
/** Carry it out on the host: gemm_openblas.c or gemm_plain.c. */
hit_status hit_gemm_float(const hit_gemm *gemm);
hit_status hit_gemm_double(const hit_gemm *gemm);

#endif
