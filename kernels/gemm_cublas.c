/* SPDX-License-Identifier: MIT
 * Products by cuBLAS, on the stream its handle is bound to. The device has loaded it;
 * the functions are looked up there. cuBLAS counts by columns: a row-major C = A B is its
 * C' = B' A'. */
#include "hit/device/cuda_blas.h"
#include "hit/kernel_cuda_run.h"
#include "kernels/gemm.h"

#include <cublas_v2.h>

typedef union symbol {
    void *address;
    __typeof__(cublasSgemm) *sgemm;
    __typeof__(cublasDgemm) *dgemm;
    __typeof__(cublasGetStatusString) *text;
} symbol;

hit_status gemm_float_cuda(const hit_run *run);
hit_status gemm_double_cuda(const hit_run *run);

/* The function @p name; where the device has no cuBLAS, the reason is told. */
static hit_status find(const hit_run *run, const char *name, symbol *function)
{
    void *library = hit_cuda_call_of(run)->blas_library;

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

static cublasHandle_t handle_of(const hit_run *run)
{
    return (cublasHandle_t)hit_cuda_call_of(run)->blas;
}

hit_status gemm_float_cuda(const hit_run *run)
{
    hit_gemm g;
    symbol gemm;

    HIT_TRY(hit_gemm_read(run, sizeof(float), &g));
    HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublasSgemm), &gemm));
    return translate(run,
                     gemm.sgemm(handle_of(run), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k,
                                g.alpha, g.b, g.ldb, g.a, g.lda, g.beta, g.c, g.ldc));
}

hit_status gemm_double_cuda(const hit_run *run)
{
    hit_gemm g;
    symbol gemm;

    HIT_TRY(hit_gemm_read(run, sizeof(double), &g));
    HIT_TRY(find(run, HIT_CUDA_BLAS_TEXT(cublasDgemm), &gemm));
    return translate(run,
                     gemm.dgemm(handle_of(run), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k,
                                g.alpha, g.b, g.ldb, g.a, g.lda, g.beta, g.c, g.ldc));
}
