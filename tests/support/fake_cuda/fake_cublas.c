/* SPDX-License-Identifier: MIT
 * A cuBLAS for the played runtime: products and triangles by plain loops, in the stream.
 * It is a shared library, as the real one is, so that it is found or missing as the real
 * one is. */
#include <complex.h>
#include <stdbool.h>
#include <stdlib.h>

#include "cublas_v2.h"
#include "fake_streams.h"

struct fake_cublas {
    cudaStream_t stream;
};

typedef struct product {
    cublasOperation_t of_a, of_b;
    int m, n, k;
    int lda, ldb, ldc;
    double _Complex alpha, beta;
    const void *a;
    const void *b;
    void *c;
    cublasSideMode_t side; /* of triangles, for which c is b */
    cublasFillMode_t fill;
    cublasDiagType_t diag;
} product;

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    *handle = calloc(1, sizeof(**handle));
    return *handle == NULL ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle)
{
    free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream)
{
    if (handle == NULL || stream == NULL) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? "success" : "not initialized";
}

static cublasStatus_t ask(cublasHandle_t handle, const product *wanted,
                          void (*work)(void *))
{
    product *copy;

    if (handle == NULL || handle->stream == NULL) return CUBLAS_STATUS_NOT_INITIALIZED;
    copy = malloc(sizeof(*copy));
    if (copy == NULL) return CUBLAS_STATUS_ALLOC_FAILED;
    *copy = *wanted;
    return fake_enqueue(handle->stream, work, copy) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* Where element (i, j) of a matrix lies, or of its transpose. */
static ptrdiff_t at(cublasOperation_t of, ptrdiff_t i, ptrdiff_t j, ptrdiff_t ld)
{
    return of == CUBLAS_OP_N ? i + j * ld : j + i * ld;
}

/* By columns, and without looking at c where beta is 0. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names of types */
#define PRODUCT(name, type)                                                              \
    static void name(void *argument)                                                     \
    {                                                                                    \
        const product *p = argument;                                                     \
        const type *a = p->a;                                                            \
        const type *b = p->b;                                                            \
        type *c = p->c;                                                                  \
                                                                                         \
        for (int i = 0; i < p->m; i++) {                                                 \
            for (int j = 0; j < p->n; j++) {                                             \
                type *to = &c[i + (ptrdiff_t)j * p->ldc];                                \
                type sum = 0;                                                            \
                                                                                         \
                for (int k = 0; k < p->k; k++) {                                         \
                    sum += a[at(p->of_a, i, k, p->lda)] * b[at(p->of_b, k, j, p->ldb)];  \
                }                                                                        \
                *to = (type)p->alpha * sum + (p->beta == 0 ? 0 : (type)p->beta * *to);   \
            }                                                                            \
        }                                                                                \
    }
PRODUCT(product_of_floats, float)
PRODUCT(product_of_doubles, double)
PRODUCT(product_of_complex_floats, float _Complex)
PRODUCT(product_of_complex_doubles, double _Complex)

/* The triangle A is solved with for each column of B, or for each row. */
#define SOLVE(name, type)                                                                \
    static void name(void *argument)                                                     \
    {                                                                                    \
        const product *p = argument;                                                     \
        const bool left = p->side == CUBLAS_SIDE_LEFT;                                   \
        const bool upper = p->fill == CUBLAS_FILL_MODE_UPPER;                            \
        const bool up = left == (upper == (p->of_a == CUBLAS_OP_N));                     \
        const int order = left ? p->m : p->n;                                            \
        const int lines = left ? p->n : p->m;                                            \
        const ptrdiff_t next = left ? 1 : p->ldc;                                        \
        const type *a = p->a;                                                            \
                                                                                         \
        for (int line = 0; line < lines; line++) {                                       \
            type *b = (type *)p->c + line * (left ? p->ldc : (ptrdiff_t)1);              \
                                                                                         \
            for (int s = 0; s < order; s++) {                                            \
                const int i = up ? order - 1 - s : s;                                    \
                type rest = (type)p->alpha * b[i * next];                                \
                                                                                         \
                for (int k = up ? i + 1 : 0; k < (up ? order : i); k++) {                \
                    const int row = upper == (k < i) ? k : i;                            \
                    const int column = upper == (k < i) ? i : k;                         \
                                                                                         \
                    rest -= a[row + (ptrdiff_t)column * p->lda] * b[k * next];           \
                }                                                                        \
                if (p->diag == CUBLAS_DIAG_NON_UNIT) {                                   \
                    rest /= a[i + (ptrdiff_t)i * p->lda];                                \
                }                                                                        \
                b[i * next] = rest;                                                      \
            }                                                                            \
        }                                                                                \
    }
SOLVE(solve_floats, float)
SOLVE(solve_doubles, double)

/* The upper triangle of C = A A', or of A' A. */
#define SQUARE(name, type)                                                               \
    static void name(void *argument)                                                     \
    {                                                                                    \
        const product *p = argument;                                                     \
        const type *a = p->a;                                                            \
        type *c = p->c;                                                                  \
                                                                                         \
        for (int i = 0; i < p->n; i++) {                                                 \
            for (int j = i; j < p->n; j++) {                                             \
                type *to = &c[i + (ptrdiff_t)j * p->ldc];                                \
                type sum = 0;                                                            \
                                                                                         \
                for (int k = 0; k < p->k; k++) {                                         \
                    sum += a[at(p->of_a, i, k, p->lda)] * a[at(p->of_a, j, k, p->lda)];  \
                }                                                                        \
                *to = (type)p->alpha * sum + (p->beta == 0 ? 0 : (type)p->beta * *to);   \
            }                                                                            \
        }                                                                                \
    }
SQUARE(square_of_floats, float)
SQUARE(square_of_doubles, double)
/* NOLINTEND(bugprone-macro-parentheses) */

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const float *alpha, const float *a, int lda, const float *b,
                           int ldb, const float *beta, float *c, int ldc)
{
    return ask(handle,
               &(product){of_a, of_b, m, n, k, lda, ldb, ldc, (double)*alpha,
                          (double)*beta, a, b, c, 0},
               product_of_floats);
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const double *alpha, const double *a, int lda, const double *b,
                           int ldb, const double *beta, double *c, int ldc)
{
    return ask(handle,
               &(product){of_a, of_b, m, n, k, lda, ldb, ldc, *alpha, *beta, a, b, c, 0},
               product_of_doubles);
}

cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const cuComplex *alpha, const cuComplex *a, int lda,
                           const cuComplex *b, int ldb, const cuComplex *beta,
                           cuComplex *c, int ldc)
{
    return ask(handle,
               &(product){of_a, of_b, m, n, k, lda, ldb, ldc,
                          (double)alpha->x + (double)alpha->y * _Complex_I,
                          (double)beta->x + (double)beta->y * _Complex_I, a, b, c, 0},
               product_of_complex_floats);
}

cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const cuDoubleComplex *alpha, const cuDoubleComplex *a,
                           int lda, const cuDoubleComplex *b, int ldb,
                           const cuDoubleComplex *beta, cuDoubleComplex *c, int ldc)
{
    return ask(handle,
               &(product){of_a, of_b, m, n, k, lda, ldb, ldc,
                          alpha->x + alpha->y * _Complex_I,
                          beta->x + beta->y * _Complex_I, a, b, c, 0},
               product_of_complex_doubles);
}

/* y' = x' op(A)': vectors are matrices of one row, whose columns are `inc` apart. */
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n,
                           const float *alpha, const float *a, int lda, const float *x,
                           int incx, const float *beta, float *y, int incy)
{
    const bool turned = of_a == CUBLAS_OP_T;

    return ask(handle,
               &(product){CUBLAS_OP_N, turned ? CUBLAS_OP_N : CUBLAS_OP_T, 1,
                          turned ? n : m, turned ? m : n, incx, lda, incy, (double)*alpha,
                          (double)*beta, x, a, y, 0},
               product_of_floats);
}

cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n,
                           const double *alpha, const double *a, int lda, const double *x,
                           int incx, const double *beta, double *y, int incy)
{
    const bool turned = of_a == CUBLAS_OP_T;

    return ask(handle,
               &(product){CUBLAS_OP_N, turned ? CUBLAS_OP_N : CUBLAS_OP_T, 1,
                          turned ? n : m, turned ? m : n, incx, lda, incy, *alpha, *beta,
                          x, a, y, 0},
               product_of_doubles);
}

cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t fill, cublasOperation_t of_a,
                           cublasDiagType_t diag, int m, int n, const float *alpha,
                           const float *a, int lda, float *b, int ldb)
{
    return ask(handle,
               &(product){.side = side,
                          .fill = fill,
                          .diag = diag,
                          .of_a = of_a,
                          .m = m,
                          .n = n,
                          .lda = lda,
                          .ldc = ldb,
                          .alpha = (double)*alpha,
                          .a = a,
                          .c = b},
               solve_floats);
}

cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill,
                           cublasOperation_t of_a, int n, int k, const float *alpha,
                           const float *a, int lda, const float *beta, float *c, int ldc)
{
    if (fill != CUBLAS_FILL_MODE_UPPER) return CUBLAS_STATUS_NOT_INITIALIZED;
    return ask(handle,
               &(product){.of_a = of_a,
                          .n = n,
                          .k = k,
                          .lda = lda,
                          .ldc = ldc,
                          .alpha = (double)*alpha,
                          .beta = (double)*beta,
                          .a = a,
                          .c = c},
               square_of_floats);
}

cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t fill, cublasOperation_t of_a,
                           cublasDiagType_t diag, int m, int n, const double *alpha,
                           const double *a, int lda, double *b, int ldb)
{
    return ask(handle,
               &(product){.side = side,
                          .fill = fill,
                          .diag = diag,
                          .of_a = of_a,
                          .m = m,
                          .n = n,
                          .lda = lda,
                          .ldc = ldb,
                          .alpha = *alpha,
                          .a = a,
                          .c = b},
               solve_doubles);
}

cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill,
                           cublasOperation_t of_a, int n, int k, const double *alpha,
                           const double *a, int lda, const double *beta, double *c,
                           int ldc)
{
    if (fill != CUBLAS_FILL_MODE_UPPER) return CUBLAS_STATUS_NOT_INITIALIZED;
    return ask(handle,
               &(product){.of_a = of_a,
                          .n = n,
                          .k = k,
                          .lda = lda,
                          .ldc = ldc,
                          .alpha = *alpha,
                          .beta = *beta,
                          .a = a,
                          .c = c},
               square_of_doubles);
}

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
