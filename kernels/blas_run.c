/* SPDX-License-Identifier: MIT
 * What a run of the kernels of gemm.c and lapack.c means to BLAS: sizes, leading
 * dimensions and addresses, read from the tiles' views and checked. */
#include "hit/data/hash.h"
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

enum { /* of gemm and syrk */
    C,
    A,
    B,
    ALPHA,
    BETA
};

/* The factor of C counts once, for the first part of a sum. A complex 1 begins with a
 * real one. */
static const void *beta_of(const hit_run *run, hit_kind kind)
{
    static const hit_complex_float one_float = 1;
    static const hit_complex_double one_double = 1;
    const bool of_floats = kind == HIT_KIND_FLOAT || kind == HIT_KIND_COMPLEX_FLOAT;

    if (!run->later) return run->slot[BETA].base;
    return of_floats ? (const void *)&one_float : (const void *)&one_double;
}

hit_status hit_gemm_read_part(const hit_run *run, const hit_gemm_form *form,
                              const hit_sig c[2], hit_type type, hit_gemm *gemm)
{
    const bool trans_a = form->trans_a;
    const bool trans_b = form->trans_b;
    const hit_sig k = hit_sig_of_slot(run, A, trans_a ? 0 : 1);
    const hit_sig of_b = hit_sig_of_slot(run, B, trans_b ? 1 : 0);
    const hit_sig a[2] = {trans_a ? k : c[0], trans_a ? c[0] : k};
    const hit_sig b[2] = {trans_b ? c[1] : k, trans_b ? k : c[1]};
    const size_t size_bytes = type.size_bytes;

    if (!hit_sig_equal(k, of_b)) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected the %s of A to be the %s of B, but they are "
                        "%lld:%lld:%lld and %lld:%lld:%lld",
                        form->kernel, trans_a ? "rows" : "columns",
                        trans_b ? "columns" : "rows", (long long)k.begin,
                        (long long)k.end, (long long)k.stride, (long long)of_b.begin,
                        (long long)of_b.end, (long long)of_b.stride);
    }
    *gemm = (hit_gemm){.trans_a = trans_a,
                       .trans_b = trans_b,
                       .alpha = run->slot[ALPHA].base,
                       .beta = beta_of(run, type.kind),
                       .library = run->prepared};
    HIT_TRY(hit_matrix_read(run, C, form->arg[C], c, size_bytes, &gemm->c));
    HIT_TRY(hit_matrix_read(run, A, form->arg[A], a, size_bytes, &gemm->a));
    return hit_matrix_read(run, B, form->arg[B], b, size_bytes, &gemm->b);
}

hit_status hit_gemm_read(const hit_run *run, hit_type type, bool trans_a, bool trans_b,
                         hit_gemm *gemm)
{
    const hit_gemm_form form = {
        .kernel = "gemm",
        .arg = {"gemm, argument c", "gemm, argument a", "gemm, argument b"},
        .trans_a = trans_a,
        .trans_b = trans_b};
    const hit_sig c[2] = {hit_sig_of_index(run, 0), hit_sig_of_index(run, 1)};

    return hit_gemm_read_part(run, &form, c, type, gemm);
}

enum { /* of trsm */
    X,
    L
};

const hit_trsm_letters hit_trsm_letters_of[HIT_TRSM_FORMS] = {
    [HIT_TRSM_RLT] = {.right = true, .transposed = true},
    [HIT_TRSM_LLN] = {.unit = false},
    [HIT_TRSM_LLT] = {.transposed = true},
    [HIT_TRSM_RUN] = {.right = true, .upper = true},
    [HIT_TRSM_LUN] = {.upper = true},
    [HIT_TRSM_LLNU] = {.unit = true},
};

hit_status hit_trsm_read(const hit_run *run, size_t size_bytes, hit_trsm_form form,
                         hit_trsm *trsm)
{
    const hit_sig i = hit_sig_of_index(run, 0);
    const bool right = hit_trsm_letters_of[form].right;
    const hit_sig of_x[2] = {right ? i : hit_sig_of_slot(run, X, 0),
                             right ? hit_sig_of_slot(run, X, 1) : i};
    const hit_matrix *x = &trsm->x;
    const hit_matrix *l = &trsm->l;

    *trsm = (hit_trsm){.form = form, .library = run->prepared};
    HIT_TRY(hit_matrix_read(run, X, "trsm, argument x", of_x, size_bytes, &trsm->x));
    HIT_TRY(hit_matrix_read_all(run, L, "trsm, argument l", size_bytes, &trsm->l));
    if (l->rows == l->columns && l->rows == (right ? x->columns : x->rows)) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "trsm: expected a triangle l of as many rows and columns as x has "
                    "%s, %d, but found %d x %d",
                    right ? "columns" : "rows", right ? x->columns : x->rows, l->rows,
                    l->columns);
}

/* Rows x columns of C as a product of rows of A and of B with those numbers. */
static hit_status read_product(const hit_run *run, hit_type type, hit_sig rows,
                               hit_sig columns, hit_gemm *gemm)
{
    static const hit_gemm_form form = {
        .kernel = "syrk",
        .arg = {"syrk, argument c", "syrk, argument a", "syrk, argument b"},
        .trans_b = true};
    const hit_sig c[2] = {rows, columns};

    return hit_gemm_read_part(run, &form, c, type, gemm);
}

static hit_status add_product(const hit_run *run, hit_type type, hit_sig rows,
                              hit_sig columns, hit_syrk_box *box)
{
    if (hit_sig_count(rows) == 0 || hit_sig_count(columns) == 0) return HIT_OK;
    return read_product(run, type, rows, columns, &box->product[box->products++]);
}

/* The rows of the box that cross the diagonal are first..last: there is a product to the
 * left of the triangle, and one below both. */
hit_status hit_syrk_read(const hit_run *run, hit_type type, hit_syrk_box *box)
{
    const hit_sig i = hit_sig_of_index(run, 0);
    const hit_sig j = hit_sig_of_index(run, 1);
    const hit_index step = i.stride;
    const hit_index first = hit_larger(i.begin, j.begin);
    const hit_index last = hit_smaller(i.end, j.end);
    const hit_sig crossing = {first, last, step};
    const hit_sig left = {j.begin, first - step, step};
    const hit_sig below = {hit_larger(i.begin, j.end + step), i.end, step};

    if (j.stride != step || (i.begin - j.begin) % step != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "syrk: expected rows and columns with the same stride that meet "
                        "on the diagonal but found %lld:%lld:%lld and %lld:%lld:%lld",
                        (long long)i.begin, (long long)i.end, (long long)i.stride,
                        (long long)j.begin, (long long)j.end, (long long)j.stride);
    }
    *box = (hit_syrk_box){.products = 0};
    HIT_TRY(add_product(run, type, below, j, box));
    if (hit_sig_count(crossing) == 0) return HIT_OK;
    HIT_TRY(add_product(run, type, crossing, left, box));
    return read_product(run, type, crossing, crossing, &box->triangle);
}
