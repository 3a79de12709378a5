/* SPDX-License-Identifier: MIT
 * Triangles by OpenBLAS: CBLAS, and Fortran's LAPACK, which counts by columns. A
 * row-major lower triangle is an upper one by columns, and its factor is U = L'. */
#include "kernels/lapack.h"
#include "kernels/openblas.h"

hit_status hit_lapack_prepare(void **library)
{
    return hit_openblas_open(library);
}

static int side(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].right ? HIT_RIGHT : HIT_LEFT;
}

static int triangle(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].upper ? HIT_UPPER : HIT_LOWER;
}

static int trans(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].transposed ? HIT_TRANS : HIT_NO_TRANS;
}

static int diagonal(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].unit ? HIT_UNIT : HIT_NON_UNIT;
}

hit_status hit_trsm_float(const hit_trsm *t)
{
    const hit_openblas *library = t->library;

    hit_openblas_one_thread(library);
    library->function[HIT_STRSM].strsm(HIT_ROW_MAJOR, side(t->form), triangle(t->form),
                                       trans(t->form), diagonal(t->form), t->m, t->n,
                                       1.0f, t->l, t->ldl, t->b, t->ldb);
    return HIT_OK;
}

hit_status hit_trsm_double(const hit_trsm *t)
{
    const hit_openblas *library = t->library;

    hit_openblas_one_thread(library);
    library->function[HIT_DTRSM].dtrsm(HIT_ROW_MAJOR, side(t->form), triangle(t->form),
                                       trans(t->form), diagonal(t->form), t->m, t->n, 1.0,
                                       t->l, t->ldl, t->b, t->ldb);
    return HIT_OK;
}

hit_status hit_syrk_float(const hit_syrk *s)
{
    const hit_openblas *library = s->library;

    hit_openblas_one_thread(library);
    library->function[HIT_SSYRK].ssyrk(HIT_ROW_MAJOR, HIT_LOWER, HIT_NO_TRANS, s->n, s->k,
                                       *(const float *)s->alpha, s->a, s->lda,
                                       *(const float *)s->beta, s->c, s->ldc);
    return HIT_OK;
}

hit_status hit_syrk_double(const hit_syrk *s)
{
    const hit_openblas *library = s->library;

    hit_openblas_one_thread(library);
    library->function[HIT_DSYRK].dsyrk(HIT_ROW_MAJOR, HIT_LOWER, HIT_NO_TRANS, s->n, s->k,
                                       *(const double *)s->alpha, s->a, s->lda,
                                       *(const double *)s->beta, s->c, s->ldc);
    return HIT_OK;
}

hit_status hit_potrf_float(const hit_potrf *p, int *order)
{
    const hit_openblas *library = p->library;

    hit_openblas_one_thread(library);
    library->function[HIT_SPOTRF].spotrf("U", &p->n, p->a, &p->lda, order, 1);
    return HIT_OK;
}

hit_status hit_potrf_double(const hit_potrf *p, int *order)
{
    const hit_openblas *library = p->library;

    hit_openblas_one_thread(library);
    library->function[HIT_DPOTRF].dpotrf("U", &p->n, p->a, &p->lda, order, 1);
    return HIT_OK;
}
