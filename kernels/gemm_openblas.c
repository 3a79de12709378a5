/* SPDX-License-Identifier: MIT
 * Products by OpenBLAS. The host device starts no threads for a whole-box kernel and says
 * how many cores it has; OpenBLAS is told only when that changes, since telling it is not
 * free. */
#include "kernels/gemm.h"

#include <cblas.h>

static void use_threads(int threads)
{
    if (threads > 0 && threads != openblas_get_num_threads()) {
        openblas_set_num_threads(threads);
    }
}

hit_status hit_gemm_float(const hit_gemm *g)
{
    use_threads(g->threads);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, g->m, g->n, g->k,
                *(const float *)g->alpha, g->a, g->lda, g->b, g->ldb,
                *(const float *)g->beta, g->c, g->ldc);
    return HIT_OK;
}

hit_status hit_gemm_double(const hit_gemm *g)
{
    use_threads(g->threads);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, g->m, g->n, g->k,
                *(const double *)g->alpha, g->a, g->lda, g->b, g->ldb,
                *(const double *)g->beta, g->c, g->ldc);
    return HIT_OK;
}

const char *hit_gemm_library(void)
{
    return openblas_get_config(); /* "OpenBLAS 0.3.21 DYNAMIC_ARCH ..." */
}
