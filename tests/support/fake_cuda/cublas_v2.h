/* SPDX-License-Identifier: MIT
 * As much of cuBLAS as the library calls; fake_cublas.c plays it. */
#ifndef TESTS_SUPPORT_FAKE_CUBLAS_H
#define TESTS_SUPPORT_FAKE_CUBLAS_H

#include "cuda_runtime_api.h"

#define CUBLAS_VER_MAJOR 0 /* there is no libcublas.so.0 but the played one */

/* the real ones are other names, too */
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasCgemm cublasCgemm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2

typedef struct fake_cublas *cublasHandle_t;
typedef struct cuComplex {
    float x, y;
} cuComplex;
typedef struct cuDoubleComplex {
    double x, y;
} cuDoubleComplex;
typedef enum cublasStatus {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3
} cublasStatus_t;
typedef enum cublasOperation {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1
} cublasOperation_t;
typedef enum cublasSideMode {
    CUBLAS_SIDE_LEFT = 0,
    CUBLAS_SIDE_RIGHT = 1
} cublasSideMode_t;
typedef enum cublasFillMode {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1
} cublasFillMode_t;
typedef enum cublasDiagType {
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const float *alpha, const float *a, int lda, const float *b,
                           int ldb, const float *beta, float *c, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const double *alpha, const double *a, int lda, const double *b,
                           int ldb, const double *beta, double *c, int ldc);
cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const cuComplex *alpha, const cuComplex *a, int lda,
                           const cuComplex *b, int ldb, const cuComplex *beta,
                           cuComplex *c, int ldc);
cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t of_a,
                           cublasOperation_t of_b, int m, int n, int k,
                           const cuDoubleComplex *alpha, const cuDoubleComplex *a,
                           int lda, const cuDoubleComplex *b, int ldb,
                           const cuDoubleComplex *beta, cuDoubleComplex *c, int ldc);
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n,
                           const float *alpha, const float *a, int lda, const float *x,
                           int incx, const float *beta, float *y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t of_a, int m, int n,
                           const double *alpha, const double *a, int lda, const double *x,
                           int incx, const double *beta, double *y, int incy);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t fill, cublasOperation_t of_a,
                           cublasDiagType_t diag, int m, int n, const float *alpha,
                           const float *a, int lda, float *b, int ldb);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill,
                           cublasOperation_t of_a, int n, int k, const float *alpha,
                           const float *a, int lda, const float *beta, float *c, int ldc);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t fill, cublasOperation_t of_a,
                           cublasDiagType_t diag, int m, int n, const double *alpha,
                           const double *a, int lda, double *b, int ldb);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill,
                           cublasOperation_t of_a, int n, int k, const double *alpha,
                           const double *a, int lda, const double *beta, double *c,
                           int ldc);

#endif
