/* SPDX-License-Identifier: MIT
 * Products and triangles by OpenBLAS: CBLAS, and Fortran's LAPACK, which counts by
 * columns. A row-major lower triangle is an upper one by columns, and its factor is
 * U = L'. */
#include "kernels/kernels_impl.h"

hit_status hit_gemm_prepare(void **library)
{
    return hit_openblas_open(library);
}

static int trans(bool transposed)
{
    return transposed ? HIT_TRANS : HIT_NO_TRANS;
}

/* The functions of one element type, and its letter in the names of BLAS. */
#define FUNCTIONS(c_type, s, S)                                                          \
    hit_status hit_gemm_##c_type(const hit_gemm *g)                                      \
    {                                                                                    \
        const hit_openblas *library = g->library;                                        \
                                                                                         \
        hit_openblas_one_thread(library);                                                \
        library->function[HIT_##S##GEMM].s##gemm(                                        \
            HIT_ROW_MAJOR, trans(g->trans_a), trans(g->trans_b), g->c.rows,              \
            g->c.columns, hit_gemm_depth(g), *(const c_type *)g->alpha, g->a.data,       \
            g->a.ld, g->b.data, g->b.ld, *(const c_type *)g->beta, g->c.data, g->c.ld);  \
        return HIT_OK;                                                                   \
    }                                                                                    \
                                                                                         \
    hit_status hit_trsm_##c_type(const hit_trsm *t)                                      \
    {                                                                                    \
        const hit_openblas *library = t->library;                                        \
        const hit_trsm_letters letters = hit_trsm_letters_of[t->form];                   \
                                                                                         \
        hit_openblas_one_thread(library);                                                \
        library->function[HIT_##S##TRSM].s##trsm(                                        \
            HIT_ROW_MAJOR, letters.right ? HIT_RIGHT : HIT_LEFT,                         \
            letters.upper ? HIT_UPPER : HIT_LOWER, trans(letters.transposed),            \
            letters.unit ? HIT_UNIT : HIT_NON_UNIT, t->x.rows, t->x.columns, 1,          \
            t->l.data, t->l.ld, t->x.data, t->x.ld);                                     \
        return HIT_OK;                                                                   \
    }                                                                                    \
                                                                                         \
    hit_status hit_syrk_##c_type(const hit_gemm *g)                                      \
    {                                                                                    \
        const hit_openblas *library = g->library;                                        \
                                                                                         \
        hit_openblas_one_thread(library);                                                \
        library->function[HIT_##S##SYRK].s##syrk(                                        \
            HIT_ROW_MAJOR, HIT_LOWER, HIT_NO_TRANS, g->c.rows, hit_gemm_depth(g),        \
            *(const c_type *)g->alpha, g->a.data, g->a.ld, *(const c_type *)g->beta,     \
            g->c.data, g->c.ld);                                                         \
        return HIT_OK;                                                                   \
    }                                                                                    \
                                                                                         \
    hit_status hit_potrf_##c_type(const hit_matrix *a, const void *library, int *order)  \
    {                                                                                    \
        const hit_openblas *openblas = library;                                          \
        const c_type *element = a->data;                                                 \
                                                                                         \
        hit_openblas_one_thread(openblas);                                               \
        openblas->function[HIT_##S##POTRF].s##potrf("U", &a->rows, a->data, &a->ld,      \
                                                    order, 1);                           \
        /* one that is NaN is a positive pivot to OpenBLAS */                            \
        for (int k = 0; k < a->rows && *order == 0; k++) {                               \
            if (!(element[(ptrdiff_t)k * a->ld + k] > 0)) *order = k + 1;                \
        }                                                                                \
        return HIT_OK;                                                                   \
    }

FUNCTIONS(float, s, S)
FUNCTIONS(double, d, D)

static hit_status multiply_complex(const hit_gemm *g, int function)
{
    const hit_openblas *library = g->library;

    hit_openblas_one_thread(library);
    library->function[function].complex_gemm(
        HIT_ROW_MAJOR, trans(g->trans_a), trans(g->trans_b), g->c.rows, g->c.columns,
        hit_gemm_depth(g), g->alpha, g->a.data, g->a.ld, g->b.data, g->b.ld, g->beta,
        g->c.data, g->c.ld);
    return HIT_OK;
}

hit_status hit_gemm_complex_float(const hit_gemm *g)
{
    return multiply_complex(g, HIT_CGEMM);
}

hit_status hit_gemm_complex_double(const hit_gemm *g)
{
    return multiply_complex(g, HIT_ZGEMM);
}
