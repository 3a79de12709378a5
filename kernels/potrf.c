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
    hit_status (*syrk)(const hit_gemm *gemm);
    hit_status (*potrf)(const hit_matrix *a, const void *library, int *order);
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
    const hit_matrix *a;
    const void *library;
    const hit_factor_type *type;
    int top, past;
} hit_panel;

static hit_matrix part_of(const hit_panel *p, int row, int column, int rows, int columns)
{
    return hit_matrix_part(p->a, row, column, rows, columns, p->type->bytes);
}

/* Some rows of the panel become those of L. */
static hit_status solve_rows(const void *of, int part, int parts)
{
    const hit_panel *p = of;
    const int width = p->past - p->top;
    const int all = p->a->rows - p->past;
    const int begin = hit_team_begin(all, part, parts);
    const int count = hit_team_begin(all, part + 1, parts) - begin;
    const hit_trsm trsm = {.form = HIT_TRSM_RLT,
                           .l = part_of(p, p->top, p->top, width, width),
                           .x = part_of(p, p->past + begin, p->top, count, width),
                           .library = p->library};

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
    const int width = p->past - p->top;
    const int all = p->a->rows - p->past;
    const int first = triangle_begin(all, part, parts);
    const int count = triangle_begin(all, part + 1, parts) - first;
    const int begin = p->past + first;
    hit_gemm gemm = {.a = part_of(p, begin, p->top, count, width),
                     .b = part_of(p, p->past, p->top, first, width),
                     .c = part_of(p, begin, p->past, count, first),
                     .trans_b = true,
                     .alpha = p->type->minus_one,
                     .beta = p->type->one,
                     .library = p->library};

    if (first > 0) HIT_TRY(p->type->gemm(&gemm));
    gemm.b = gemm.a;
    gemm.c = part_of(p, begin, begin, count, count);
    return p->type->syrk(&gemm);
}

/* @p order: as of hit_potrf_double() */
static hit_status factor(const hit_run *run, const hit_matrix *a,
                         const hit_factor_type *type, int *order)
{
    const int n = a->rows;

    if (run->team == NULL || n < 2 * PANEL) return type->potrf(a, run->prepared, order);
    *order = 0;
    for (int top = 0; top < n; top += PANEL) {
        const int past = n - top < PANEL ? n : top + PANEL;
        const hit_panel panel = {a, run->prepared, type, top, past};
        const hit_matrix square = part_of(&panel, top, top, past - top, past - top);

        HIT_TRY(type->potrf(&square, run->prepared, order));
        if (*order > 0) *order += top;
        if (*order > 0 || past == n) break;
        HIT_TRY(hit_team_run(run, n - past, solve_rows, &panel));
        HIT_TRY(hit_team_run(run, n - past, update_rows, &panel));
    }
    return HIT_OK;
}

static hit_status tell(const hit_run *run, int order)
{
    const hit_sig rows = hit_sig_of_slot(run, 0, 0);

    if (order == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "potrf: expected a positive definite matrix, but its leading minor "
                    "of order %d is not positive (index %lld)",
                    order, (long long)(rows.begin + (order - 1) * rows.stride));
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
        hit_matrix a;                                                                    \
        int order;                                                                       \
                                                                                         \
        HIT_TRY(hit_matrix_read_square(run, "potrf", "potrf, argument a",                \
                                       sizeof(c_type), &a));                             \
        HIT_TRY(factor(run, &a, &type_##c_type, &order));                                \
        return tell(run, order);                                                         \
    }

POTRF(float)
POTRF(double)
/* clang-format on */
