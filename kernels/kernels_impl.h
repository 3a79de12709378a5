/* SPDX-License-Identifier: MIT
 * Internal to kernels/: what products and factorisations of matrices share. */
#ifndef KERNELS_KERNELS_IMPL_H
#define KERNELS_KERNELS_IMPL_H

#include "hit/base/status.h"
#include "hit/data/sig.h"
#include "kernels/kernels.h"
#include "patterns/kernel.h"

#include <stdbool.h>

/* matrix.c: a part of a tile as BLAS wants a row-major matrix. */

typedef struct hit_matrix {
    void *data;
    int rows, columns;
    int ld; /**< elements from one row to the next */
} hit_matrix;

/** The indices of @p run along @p dim. */
hit_sig hit_sig_of_index(const hit_run *run, int dim);
/** What ":" stands for in dimension @p dim of argument @p arg. */
hit_sig hit_sig_of_slot(const hit_run *run, int arg, int dim);

/** Rows x columns of argument @p arg, which failures call @p name
 * ("gemm, argument c").
 * @errors HIT_E_ARG rows that are not contiguous, a size beyond INT_MAX */
hit_status hit_matrix_read(const hit_run *run, int arg, const char *name,
                           const hit_sig of[2], size_t size_bytes, hit_matrix *found);
/** All of argument @p arg. */
hit_status hit_matrix_read_all(const hit_run *run, int arg, const char *name,
                               size_t size_bytes, hit_matrix *found);
/** All of argument 0, which is square, of a kernel that is one piece of work.
 * @errors as above, and those of hit_run_is_one() */
hit_status hit_matrix_read_square(const hit_run *run, const char *kernel,
                                  const char *name, size_t size_bytes, hit_matrix *a);
/** The columns of it that the first index names. */
hit_status hit_matrix_read_columns(const hit_run *run, int arg, const char *name,
                                   size_t size_bytes, hit_matrix *found);
/** Refuse a matrix of other sizes. @errors HIT_E_ARG */
hit_status hit_matrix_fits(const hit_matrix *matrix, const char *name, int rows,
                           int columns);
/** The same for one row or more, of @p columns; inline, so that callers are seen to have
 * rows behind it. */
static inline hit_status hit_matrix_fits_width(const hit_matrix *matrix, const char *name,
                                               int columns)
{
    if (matrix->rows < 1) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected one row or more, but found none", name);
    }
    return hit_matrix_fits(matrix, name, matrix->rows, columns);
}

/** @p rows x @p columns of @p matrix, from (@p row, @p column) on. */
hit_matrix hit_matrix_part(const hit_matrix *matrix, int row, int column, int rows,
                           int columns, size_t size_bytes);
/** Refuse a launch of a kernel that is one piece of work on more than one index.
 * @errors HIT_E_ARG */
hit_status hit_run_is_one(const hit_run *run, const char *name);

/* gemm.c: one product of row-major matrices, C = alpha A B + beta C, where A, B or both
 * may be transposed. */

/** C is m x n; A is m x k, or k x m if it is to be transposed; B is k x n, or n x k. */
typedef struct hit_gemm {
    hit_matrix a, b, c;
    bool trans_a, trans_b;
    const void *alpha; /**< of the element type */
    const void *beta;
    const void *library; /**< by hit_gemm_prepare() */
} hit_gemm;

/** k: of how many products an element of C is the sum. */
static inline int hit_gemm_depth(const hit_gemm *gemm)
{
    return gemm->trans_a ? gemm->a.rows : gemm->a.columns;
}

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

/* lapack.c: what factorisations do to row-major matrices, of which only a triangle
 * counts. */

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

/** Overwrites X, in which B lies. */
typedef struct hit_trsm {
    hit_trsm_form form;
    hit_matrix l, x;
    const void *library; /**< by hit_gemm_prepare() */
} hit_trsm;

/** The part of a lower triangle that lies in a box of C: products, and one triangle. */
typedef struct hit_syrk_box {
    int products;
    hit_gemm product[2];
    hit_gemm triangle; /**< it may have no rows */
} hit_syrk_box;

/** Carry it out on the host: openblas_calls.c or lapack_plain.c. */
hit_status hit_trsm_float(const hit_trsm *trsm);
hit_status hit_trsm_double(const hit_trsm *trsm);
/** The lower triangle of C = alpha A A' + beta C: B is A, transposed. */
hit_status hit_syrk_float(const hit_gemm *gemm);
hit_status hit_syrk_double(const hit_gemm *gemm);
/** The lower triangle of A becomes L, where A = L L'. *order: 0, or that of the first
 * leading minor that is not positive. */
hit_status hit_potrf_float(const hit_matrix *a, const void *library, int *order);
hit_status hit_potrf_double(const hit_matrix *a, const void *library, int *order);

/** What @p run of a kernel asks for, for elements of that size or type.
 * @errors HIT_E_ARG those of hit_matrix_read(), and matrices that do not fit each other
 */
hit_status hit_trsm_read(const hit_run *run, size_t size_bytes, hit_trsm_form form,
                         hit_trsm *trsm);
hit_status hit_syrk_read(const hit_run *run, hit_type type, hit_syrk_box *box);

/* openblas.c: functions of OpenBLAS, which is loaded and not linked. */

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

/* team.c: a step of a factorisation on the threads of a device. */

/** Part @p part of @p parts of a step. */
typedef hit_status (*hit_team_step)(const void *of, int part, int parts);

/** Carry out all parts of @p step, one on each thread that @p run has, or on fewer: none
 * gets less than 64 of the rows or columns, of which there are @p count.
 * @errors that of the part that failed first */
hit_status hit_team_run(const hit_run *run, int count, hit_team_step step,
                        const void *of);

/** Where part @p part of @p count rows or columns begins. */
static inline int hit_team_begin(int count, int part, int parts)
{
    return (int)((long long)count * part / parts);
}

#endif
