/* SPDX-License-Identifier: MIT
 * Products by OpenBLAS. */
#include "kernels/gemm.h"
#include "kernels/openblas.h"

hit_status hit_gemm_prepare(void **library)
{
    return hit_openblas_open(library);
}

static int trans(bool transposed)
{
    return transposed ? HIT_TRANS : HIT_NO_TRANS;
}

hit_status hit_gemm_float(const hit_gemm *g)
{
    const hit_openblas *library = g->library;

    hit_openblas_one_thread(library);
    library->function[HIT_SGEMM].sgemm(HIT_ROW_MAJOR, trans(g->trans_a),
                                       trans(g->trans_b), g->m, g->n, g->k,
                                       *(const float *)g->alpha, g->a, g->lda, g->b,
                                       g->ldb, *(const float *)g->beta, g->c, g->ldc);
    return HIT_OK;
}

hit_status hit_gemm_double(const hit_gemm *g)
{
    const hit_openblas *library = g->library;

    hit_openblas_one_thread(library);
    library->function[HIT_DGEMM].dgemm(HIT_ROW_MAJOR, trans(g->trans_a),
                                       trans(g->trans_b), g->m, g->n, g->k,
                                       *(const double *)g->alpha, g->a, g->lda, g->b,
                                       g->ldb, *(const double *)g->beta, g->c, g->ldc);
    return HIT_OK;
}
