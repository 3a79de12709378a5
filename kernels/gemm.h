/* SPDX-License-Identifier: MIT
 * Internal to kernels/: one product of row-major matrices, C = alpha A B + beta C, where
 * A, B or both may be transposed. */
#ifndef KERNELS_GEMM_H
#define KERNELS_GEMM_H

#include "kernels/kernels.h"
#include "kernels/matrix.h"

/** C is m x n; A is m x k, or k x m if it is to be transposed; B is k x n, or n x k; ld
 * are elements from one row to the next. */
typedef struct hit_gemm {
    int m, n, k;
    bool trans_a, trans_b;
    int lda, ldb, ldc;
    const void *alpha; /**< of the element type, like all of these */
    const void *beta;
    const void *a;
    const void *b;
    void *c;
    const void *library; /**< by hit_gemm_prepare() */
} hit_gemm;

/** C = alpha A B + beta C of these matrices; the caller adds alpha, beta and the library,
 * and says whether A is transposed. */
hit_gemm hit_gemm_of(const hit_matrix *a, const hit_matrix *b, const hit_matrix *c);

/** Get ready to multiply on the host. @owner *library: free() @errors those of
 * hit_openblas_open() */
hit_status hit_gemm_prepare(void **library);
/** Carry it out on the host: openblas_calls.c or gemm_plain.c. */
hit_status hit_gemm_float(const hit_gemm *gemm);
hit_status hit_gemm_double(const hit_gemm *gemm);
hit_status hit_gemm_complex_float(const hit_gemm *gemm);
hit_status hit_gemm_complex_double(const hit_gemm *gemm);

/** The type of elements of one C type. */
#define HIT_GEMM_TYPE(c_type) HIT_TYPE(HIT_KIND_OF((c_type)0), sizeof(c_type))

/** What @p run of a product's kernel asks for, for elements of @p type.
 * @errors HIT_E_ARG rows that are not contiguous, sums of A and B of unlike lengths, a
 * size beyond INT_MAX */
hit_status hit_gemm_read(const hit_run *run, hit_type type, bool trans_a, bool trans_b,
                         hit_gemm *gemm);

/** Of a kernel whose arguments are those of a product: C, A, B, alpha, beta. */
typedef struct hit_gemm_form {
    const char *kernel;
    const char *arg[3]; /**< what failures call C, A and B */
    bool trans_a;
    bool trans_b;
} hit_gemm_form;

/** The same for rows c[0] and columns c[1] of C. @errors as above */
hit_status hit_gemm_read_part(const hit_run *run, const hit_gemm_form *form,
                              const hit_sig c[2], hit_type type, hit_gemm *gemm);

#endif
