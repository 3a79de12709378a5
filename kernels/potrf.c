/* SPDX-License-Identifier: MIT
 * The Cholesky factor of one block, A = L L', in its lower triangle. It is one piece of
 * work: it is launched on one index, and runs on host devices only. On several threads
 * it goes from panel to panel: what is behind one is cut over the threads. */
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

#include <math.h>

enum {
    PANEL = 96 /* columns; fewer wake the threads too often */
};

/* The functions of an element type, and its numbers 1 and -1. */
typedef struct hit_factor_type {
    size_t bytes;
    hit_status (*gemm)(const hit_gemm *gemm);
    hit_status (*trsm)(const hit_trsm *trsm);
    hit_status (*syrk)(const hit_syrk *syrk);
    hit_status (*potrf)(const hit_potrf *potrf, int *order);
    const void *one, *minus_one;
} hit_factor_type;

#define FACTOR_TYPE(c_type)                                                              \
    static const c_type one_##c_type = 1;                                                \
    static const c_type minus_one_##c_type = -1;                                         \
    static const hit_factor_type type_##c_type = {                                       \
        sizeof(c_type),     hit_gemm_##c_type, hit_trsm_##c_type,  hit_syrk_##c_type,    \
        hit_potrf_##c_type, &one_##c_type,     &minus_one_##c_type};

FACTOR_TYPE(float)
FACTOR_TYPE(double)

/* Columns top..past-1 are factored in their square, and rows past.. are left. */
typedef struct hit_panel {
    const hit_potrf *of;
    const hit_factor_type *type;
    int top, past;
} hit_panel;

static void *element(const hit_panel *p, int row, int column)
{
    return (char *)p->of->a +
           ((ptrdiff_t)row * p->of->lda + column) * (ptrdiff_t)p->type->bytes;
}

/* Some rows of the panel become those of L. */
static hit_status solve_rows(const void *of, int part, int parts)
{
    const hit_panel *p = of;
    const int rows = p->of->n - p->past;
    const int begin = hit_team_begin(rows, part, parts);
    const hit_trsm trsm = {.form = HIT_TRSM_RLT,
                           .m = hit_team_begin(rows, part + 1, parts) - begin,
                           .n = p->past - p->top,
                           .ldl = p->of->lda,
                           .ldb = p->of->lda,
                           .l = element(p, p->top, p->top),
                           .b = element(p, p->past + begin, p->top),
                           .library = p->of->library};

    return p->type->trsm(&trsm);
}

/* Where rows begin that are as much of a triangle as each other part. */
static int triangle_begin(int rows, int part, int parts)
{
    return part == parts ? rows : (int)(rows * sqrt((double)part / parts));
}

/* Take the panel away from some rows of the triangle behind it. */
static hit_status update_rows(const void *of, int part, int parts)
{
    const hit_panel *p = of;
    const int all = p->of->n - p->past;
    const int first = triangle_begin(all, part, parts);
    const int begin = p->past + first;
    const hit_gemm gemm = {.m = triangle_begin(all, part + 1, parts) - first,
                           .n = first,
                           .k = p->past - p->top,
                           .trans_b = true,
                           .lda = p->of->lda,
                           .ldb = p->of->lda,
                           .ldc = p->of->lda,
                           .alpha = p->type->minus_one,
                           .beta = p->type->one,
                           .a = element(p, begin, p->top),
                           .b = element(p, p->past, p->top),
                           .c = element(p, begin, p->past),
                           .library = p->of->library};
    const hit_syrk syrk = {.n = gemm.m,
                           .k = gemm.k,
                           .lda = p->of->lda,
                           .ldc = p->of->lda,
                           .alpha = gemm.alpha,
                           .beta = gemm.beta,
                           .a = gemm.a,
                           .c = element(p, begin, begin),
                           .library = p->of->library};

    if (first > 0) HIT_TRY(p->type->gemm(&gemm));
    return p->type->syrk(&syrk);
}

/* @p order: as of hit_potrf_double() */
static hit_status factor(const hit_run *run, const hit_potrf *of,
                         const hit_factor_type *type, int *order)
{
    if (run->team == NULL || of->n < 2 * PANEL) return type->potrf(of, order);
    *order = 0;
    for (int top = 0; top < of->n; top += PANEL) {
        const int past = of->n - top < PANEL ? of->n : top + PANEL;
        const hit_panel panel = {of, type, top, past};
        const hit_potrf square = {.n = past - top,
                                  .lda = of->lda,
                                  .a = element(&panel, top, top),
                                  .library = of->library};

        HIT_TRY(type->potrf(&square, order));
        if (*order > 0) *order += top;
        if (*order > 0 || past == of->n) break;
        HIT_TRY(hit_team_run(run, of->n - past, solve_rows, &panel));
        HIT_TRY(hit_team_run(run, of->n - past, update_rows, &panel));
    }
    return HIT_OK;
}

/* What @p run asks for. @p rows: the indices of the rows */
static hit_status read_block(const hit_run *run, size_t size_bytes, hit_sig *rows,
                             hit_potrf *potrf)
{
    hit_matrix a;

    HIT_TRY(hit_run_is_one(run, "potrf"));
    HIT_TRY(hit_matrix_read_all(run, 0, "potrf, argument a", size_bytes, &a));
    HIT_TRY(hit_matrix_fits(&a, "potrf, argument a", a.rows, a.rows));
    *rows = hit_sig_of_slot(run, 0, 0);
    *potrf = (hit_potrf){.n = a.rows, .lda = a.ld, .a = a.data, .library = run->prepared};
    return HIT_OK;
}

static hit_status tell(const hit_sig *rows, int order)
{
    if (order == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "potrf: expected a positive definite matrix, but its leading minor "
                    "of order %d is not positive (index %lld)",
                    order, (long long)(rows->begin + (order - 1) * rows->stride));
}

/* HIT_BOX_KERNEL with prepare(): threads do not get parts of the indices, so that more
 * than one can be told */
/* the arguments of a kernel are a table */
/* clang-format off */
#define POTRF(c_type)                                                                    \
    HIT_KERNEL_TABLE(potrf_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type, a, "[:, :]"))                                                    \
    static hit_status potrf_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_potrf potrf;                                                                 \
        hit_sig rows;                                                                 \
        int order;                                                                       \
                                                                                         \
        HIT_TRY(read_block(run, sizeof(c_type), &rows, &potrf));                         \
        HIT_TRY(factor(run, &potrf, &type_##c_type, &order));                            \
        return tell(&rows, order);                                                       \
    }

POTRF(float)
POTRF(double)
/* clang-format on */
