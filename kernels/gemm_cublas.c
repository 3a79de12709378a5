/* SPDX-License-Identifier: MIT
 * Products by cuBLAS, on the stream its handle is bound to. cuBLAS counts by columns: a
 * row-major C = A B is its C' = B' A'. */
#include "hit/kernel_cuda_run.h"
#include "kernels/gemm.h"

#include <cublas_v2.h>

hit_status gemm_float_cuda(const hit_run *run);
hit_status gemm_double_cuda(const hit_run *run);

static hit_status translate(cublasStatus_t status)
{
    if (status == CUBLAS_STATUS_SUCCESS) return HIT_OK;
    return HIT_FAIL(HIT_E_DEVICE, "gemm: cuBLAS answered %s",
                    cublasGetStatusString(status));
}

static cublasHandle_t handle_of(const hit_run *run)
{
    return (cublasHandle_t)hit_cuda_call_of(run)->blas;
}

hit_status gemm_float_cuda(const hit_run *run)
{
    hit_gemm g;

    HIT_TRY(hit_gemm_read(run, sizeof(float), &g));
    return translate(cublasSgemm(handle_of(run), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k,
                                 g.alpha, g.b, g.ldb, g.a, g.lda, g.beta, g.c, g.ldc));
}

hit_status gemm_double_cuda(const hit_run *run)
{
    hit_gemm g;

    HIT_TRY(hit_gemm_read(run, sizeof(double), &g));
    return translate(cublasDgemm(handle_of(run), CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k,
                                 g.alpha, g.b, g.ldb, g.a, g.lda, g.beta, g.c, g.ldc));
}
