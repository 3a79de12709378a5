/* SPDX-License-Identifier: MIT
 * Internal to kernels/: what factorisations do to row-major matrices, of which only a
 * triangle counts. */
#ifndef KERNELS_LAPACK_H
#define KERNELS_LAPACK_H

#include "kernels/gemm.h"

/** On which side of X the triangle stands, whether it is lower or upper, and whether it
 * is transposed, in the order of the letters of BLAS; a last U: its diagonal is 1. */
typedef enum hit_trsm_form {
    HIT_TRSM_RLT,  /**< X L' = B */
    HIT_TRSM_LLN,  /**< L X = B */
    HIT_TRSM_LLT,  /**< L' X = B */
    HIT_TRSM_RUN,  /**< X U = B */
    HIT_TRSM_LUN,  /**< U X = B */
    HIT_TRSM_LLNU, /**< L X = B, and L has ones on its diagonal, which is not read */
    HIT_TRSM_FORMS
} hit_trsm_form;

/** What the letters of a form say. */
typedef struct hit_trsm_letters {
    bool right, upper, transposed, unit;
} hit_trsm_letters;
extern const hit_trsm_letters hit_trsm_letters_of[HIT_TRSM_FORMS];

/** Overwrites B, m x n, with X. */
typedef struct hit_trsm {
    hit_trsm_form form;
    int m, n;
    int ldl, ldb;
    const void *l;
    void *b;
    const void *library; /**< by hit_gemm_prepare() */
} hit_trsm;

/** The lower triangle of C = alpha A A' + beta C: C is n x n, A is n x k. */
typedef struct hit_syrk {
    int n, k;
    int lda, ldc;
    const void *alpha; /**< of the element type, like all of these */
    const void *beta;
    const void *a;
    void *c;
    const void *library;
} hit_syrk;

/** The part of a lower triangle that lies in a box of C: products, and one triangle. */
typedef struct hit_syrk_box {
    int products;
    hit_gemm product[2];
    hit_syrk triangle; /**< n may be 0 */
} hit_syrk_box;

/** Overwrites the lower triangle of A, n x n, with L, where A = L L'. */
typedef struct hit_potrf {
    int n;
    int lda;
    void *a;
    const void *library;
} hit_potrf;

/** Carry it out on the host: openblas_calls.c or lapack_plain.c. */
hit_status hit_trsm_float(const hit_trsm *trsm);
hit_status hit_trsm_double(const hit_trsm *trsm);
hit_status hit_syrk_float(const hit_syrk *syrk);
hit_status hit_syrk_double(const hit_syrk *syrk);
/** *order: 0, or that of the first leading minor that is not positive. */
hit_status hit_potrf_float(const hit_potrf *potrf, int *order);
hit_status hit_potrf_double(const hit_potrf *potrf, int *order);

/** What @p run of a kernel asks for, for elements of @p size_bytes.
 * @errors HIT_E_ARG those of hit_matrix_read(), and matrices that do not fit each other
 */
hit_status hit_trsm_read(const hit_run *run, size_t size_bytes, hit_trsm_form form,
                         hit_trsm *trsm);
hit_status hit_syrk_read(const hit_run *run, size_t size_bytes, hit_syrk_box *box);

#endif
