/* SPDX-License-Identifier: MIT
 * Products by cuBLAS, on the stream its handle is bound to. The device has loaded it;
 * the functions are looked up there. cuBLAS counts by columns: a row-major C = A B is its
 * C' = B' A'. */
#include "hit/device/cuda_blas.h"
#include "kernels/gemm.h"

#include <cublas_v2.h>

typedef union symbol {
    void *address;
    __typeof__(cublasSgemm) *sgemm;
    __typeof__(cublasDgemm) *dgemm;
    __typeof__(cublasGetStatusString) *text;
} symbol;

/* The function @p name; where the device has no cuBLAS, the reason is told. */
static hit_status find(const hit_run *run, const char *name, symbol *function)
{
    void *library = run->blas_library;

    if (library == NULL) HIT_TRY(hit_cuda_blas_load(&library));
    return hit_cuda_blas_find(library, name, &function->address);
}

static hit_status translate(const hit_run *run, cublasStatus_t status)
{
    symbol text;

    if (status == CUBLAS_STATUS_SUCCESS) return HIT_OK;
    HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublasGetStatusString), &text));
    return HIT_FAIL(HIT_E_DEVICE, "gemm: cuBLAS answered %s", text.text(status));
}

static cublasOperation_t operation(bool transposed)
{
    return transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

static hit_status multiply_float(const hit_run *run, const hit_gemm *g)
{
    symbol gemm;

    HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublasSgemm), &gemm));
    return translate(run, gemm.sgemm((cublasHandle_t)run->blas, operation(g->trans_b),
                                     operation(g->trans_a), g->n, g->m, g->k, g->alpha,
                                     g->b, g->ldb, g->a, g->lda, g->beta, g->c, g->ldc));
}

static hit_status multiply_double(const hit_run *run, const hit_gemm *g)
{
    symbol gemm;

    HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublasDgemm), &gemm));
    return translate(run, gemm.dgemm((cublasHandle_t)run->blas, operation(g->trans_b),
                                     operation(g->trans_a), g->n, g->m, g->k, g->alpha,
                                     g->b, g->ldb, g->a, g->lda, g->beta, g->c, g->ldc));
}

#define GEMM(name, c_type, trans_a, trans_b)                                             \
    hit_status name##_##c_type##_cuda(const hit_run *run);                               \
    hit_status name##_##c_type##_cuda(const hit_run *run)                                \
    {                                                                                    \
        hit_gemm g;                                                                      \
                                                                                         \
        HIT_TRY(hit_gemm_read(run, sizeof(c_type), trans_a, trans_b, &g));               \
        return multiply_##c_type(run, &g);                                               \
    }

GEMM(gemm, float, false, false)
GEMM(gemm, double, false, false)
GEMM(gemm_nt, float, false, true)
GEMM(gemm_nt, double, false, true)
GEMM(gemm_tn, float, true, false)
GEMM(gemm_tn, double, true, false)
