/* SPDX-License-Identifier: MIT
 * Internal to kernels/: functions of OpenBLAS, which is loaded and not linked. */
#ifndef KERNELS_OPENBLAS_H
#define KERNELS_OPENBLAS_H

#include "hit/base/status.h"

#include <stdbool.h>

/** Constants of CBLAS. */
enum {
    HIT_ROW_MAJOR = 101,
    HIT_NO_TRANS = 111,
    HIT_TRANS = 112,
    HIT_UPPER = 121,
    HIT_LOWER = 122,
    HIT_NON_UNIT = 131,
    HIT_UNIT = 132,
    HIT_LEFT = 141,
    HIT_RIGHT = 142
};

/** The functions in use: hit_openblas.function. */
enum {
    HIT_SGEMM,
    HIT_DGEMM,
    HIT_CGEMM,
    HIT_ZGEMM,
    HIT_STRSM,
    HIT_DTRSM,
    HIT_SSYRK,
    HIT_DSYRK,
    HIT_SPOTRF,
    HIT_DPOTRF,
    HIT_GET_NUM_THREADS,
    HIT_SET_NUM_THREADS,
    HIT_OPENBLAS_FUNCTIONS
};

/* NOLINTBEGIN(bugprone-macro-parentheses): a type has none */
/** Functions of one element type. Those of Fortran count by columns; their last parameter
 * is the length of uplo. */
#define HIT_OPENBLAS_OF(s, c_type)                                                       \
    void (*s##gemm)(int order, int ta, int tb, int m, int n, int k, c_type alpha,        \
                    const c_type *a, int lda, const c_type *b, int ldb, c_type beta,     \
                    c_type *c, int ldc);                                                 \
    void (*s##trsm)(int order, int side, int uplo, int trans, int diag, int m, int n,    \
                    c_type alpha, const c_type *a, int lda, c_type *b, int ldb);         \
    void (*s##syrk)(int order, int uplo, int trans, int n, int k, c_type alpha,          \
                    const c_type *a, int lda, c_type beta, c_type *c, int ldc);          \
    void (*s##potrf)(const char *uplo, const int *n, c_type *a, const int *lda,          \
                     int *info, size_t one)
/* NOLINTEND(bugprone-macro-parentheses) */

typedef union hit_openblas_function {
    void *address;
    /** Of complex numbers: cgemm and zgemm. */
    void (*complex_gemm)(int order, int ta, int tb, int m, int n, int k,
                         const void *alpha, const void *a, int lda, const void *b,
                         int ldb, const void *beta, void *c, int ldc);
    HIT_OPENBLAS_OF(s, float);
    HIT_OPENBLAS_OF(d, double);
    int (*get_threads)(void);
    void (*set_threads)(int threads);
} hit_openblas_function;

typedef struct hit_openblas {
    hit_openblas_function function[HIT_OPENBLAS_FUNCTIONS];
} hit_openblas;

/** Load OpenBLAS for the life of the process. A kernel's prepare(): *library is a
 * hit_openblas. @owner *library: free() @errors HIT_E_NOMEM; HIT_E_ABSENT a library that
 * was there when this was built is missing, or lacks a function */
hit_status hit_openblas_open(void **library);
/** The threads of a device call OpenBLAS side by side, each on a part of its own, and
 * each by one thread of OpenBLAS, which carries out one call of several threads at a
 * time only. Before each call, since a program may set another number. */
void hit_openblas_one_thread(const hit_openblas *library);
/** The kernels to ask for where the library takes @p kernels by itself; NULL: these.
 * @p setting is the user's, or NULL; @p avx512: the core has it */
const char *hit_openblas_choose(const char *kernels, const char *setting, bool avx512);

#endif
