/* SPDX-License-Identifier: MIT
 * What kernels/gemm_cublas.c is where there is cuBLAS. */
#include "kernels/gemm.h"

#include "late.h"

hit_status gemm_float_cuda(const hit_run *run);
hit_status gemm_double_cuda(const hit_run *run);

hit_status gemm_float_cuda(const hit_run *run)
{
    HIT_TRY(hit_gemm_prepare());
    return fake_run_late(run, gemm_float.args, gemm_float.arg, gemm_float.host);
}

hit_status gemm_double_cuda(const hit_run *run)
{
    HIT_TRY(hit_gemm_prepare());
    return fake_run_late(run, gemm_double.args, gemm_double.arg, gemm_double.host);
}
