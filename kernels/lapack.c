/* SPDX-License-Identifier: MIT
 * What factorisations by tiles and their solves do to the blocks beside the diagonal one,
 * as kernels of whole boxes: the patterns, and what a run of them means in the words of
 * BLAS. Matrices are row-major, and of L and of a symmetric matrix only the lower
 * triangle counts, of U the upper one. Who computes is in openblas_calls.c,
 * lapack_plain.c and gemm_cublas.c. */
#include "hit/data/hash.h"
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

/* the arguments of a kernel are a table */
/* clang-format off */
#define TRSM(name, c_type, index, pattern, form)                                         \
    HIT_BOX_PARTS_KERNEL(name##_##c_type, index, hit_gemm_prepare,                       \
        (inout, c_type, x, pattern),                                                     \
        (in,    c_type, l, "[:, :]"))                                                    \
    {                                                                                    \
        hit_trsm trsm;                                                                   \
                                                                                         \
        HIT_TRY(hit_trsm_read(run, sizeof(c_type), form, &trsm));                        \
        return hit_trsm_##c_type(&trsm);                                                 \
    }

TRSM(trsm_rlt, float, (i), "[i, :]", HIT_TRSM_RLT)
TRSM(trsm_rlt, double, (i), "[i, :]", HIT_TRSM_RLT)
TRSM(trsm_lln, float, (j), "[:, j]", HIT_TRSM_LLN)
TRSM(trsm_lln, double, (j), "[:, j]", HIT_TRSM_LLN)
TRSM(trsm_llt, float, (j), "[:, j]", HIT_TRSM_LLT)
TRSM(trsm_llt, double, (j), "[:, j]", HIT_TRSM_LLT)
TRSM(trsm_run, float, (i), "[i, :]", HIT_TRSM_RUN)
TRSM(trsm_run, double, (i), "[i, :]", HIT_TRSM_RUN)
TRSM(trsm_lun, float, (j), "[:, j]", HIT_TRSM_LUN)
TRSM(trsm_lun, double, (j), "[:, j]", HIT_TRSM_LUN)
TRSM(trsm_llnu, float, (j), "[:, j]", HIT_TRSM_LLNU)
TRSM(trsm_llnu, double, (j), "[:, j]", HIT_TRSM_LLNU)

/* b is a again: where memory is small, a piece far from the diagonal needs rows that lie
 * far apart. Half of the indices, those below the diagonal, do 2 operations for each
 * element of a row. */
#define SYRK(c_type)                                                                     \
    HIT_OPERATIONS_ALONG(syrk_##c_type, 1, 1, 1);                                        \
    HIT_BOX_SUM_KERNEL(syrk_##c_type, (i, j), (HIT_ALONG(1, 1), HIT_ALONG(2, 1)),        \
                       hit_gemm_prepare,                                                 \
        (inout, c_type, c, "[i, j]"),                                                    \
        (in,    c_type, a, "[i, :]"),                                                    \
        (in,    c_type, b, "[j, :]"),                                                    \
        (value, c_type, alpha),                                                          \
        (value, c_type, beta))                                                           \
    {                                                                                    \
        hit_syrk_box box;                                                                \
                                                                                         \
        HIT_TRY(hit_syrk_read(run, sizeof(c_type), &box));                               \
        for (int k = 0; k < box.products; k++) {                                         \
            HIT_TRY(hit_gemm_##c_type(&box.product[k]));                                 \
        }                                                                                \
        return box.triangle.n > 0 ? hit_syrk_##c_type(&box.triangle) : HIT_OK;           \
    }

SYRK(float)
SYRK(double)
/* clang-format on */

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
    const hit_sig of_l[2] = {hit_sig_of_slot(run, L, 0), hit_sig_of_slot(run, L, 1)};
    hit_matrix x;
    hit_matrix l;

    HIT_TRY(hit_matrix_read(run, X, "trsm, argument x", of_x, size_bytes, &x));
    HIT_TRY(hit_matrix_read(run, L, "trsm, argument l", of_l, size_bytes, &l));
    if (l.rows != l.columns || l.rows != (right ? x.columns : x.rows)) {
        return HIT_FAIL(HIT_E_ARG,
                        "trsm: expected a triangle l of as many rows and columns as x "
                        "has %s, %d, but found %d x %d",
                        right ? "columns" : "rows", right ? x.columns : x.rows, l.rows,
                        l.columns);
    }
    *trsm = (hit_trsm){.form = form,
                       .m = x.rows,
                       .n = x.columns,
                       .ldl = l.ld,
                       .ldb = x.ld,
                       .l = l.data,
                       .b = x.data,
                       .library = run->prepared};
    return HIT_OK;
}

/* Rows x columns of C as a product of rows of A and of B with those numbers. */
static hit_status read_product(const hit_run *run, size_t size_bytes, hit_sig rows,
                               hit_sig columns, hit_gemm *gemm)
{
    static const hit_gemm_form form = {
        .kernel = "syrk",
        .arg = {"syrk, argument c", "syrk, argument a", "syrk, argument b"},
        .trans_b = true};
    const hit_sig c[2] = {rows, columns};

    return hit_gemm_read_part(run, &form, c,
                              size_bytes == sizeof(float) ? HIT_FLOAT : HIT_DOUBLE, gemm);
}

static hit_status add_product(const hit_run *run, size_t size_bytes, hit_sig rows,
                              hit_sig columns, hit_syrk_box *box)
{
    if (hit_sig_count(rows) == 0 || hit_sig_count(columns) == 0) return HIT_OK;
    return read_product(run, size_bytes, rows, columns, &box->product[box->products++]);
}

/* The rows of the box that cross the diagonal are first..last: there is a product to the
 * left of the triangle, and one below both. */
hit_status hit_syrk_read(const hit_run *run, size_t size_bytes, hit_syrk_box *box)
{
    const hit_sig i = hit_sig_of_index(run, 0);
    const hit_sig j = hit_sig_of_index(run, 1);
    const hit_index step = i.stride;
    const hit_index first = hit_larger(i.begin, j.begin);
    const hit_index last = hit_smaller(i.end, j.end);
    const hit_sig crossing = {first, last, step};
    const hit_sig left = {j.begin, first - step, step};
    const hit_sig below = {hit_larger(i.begin, j.end + step), i.end, step};
    hit_gemm square;

    if (j.stride != step || (i.begin - j.begin) % step != 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "syrk: expected rows and columns with the same stride that meet "
                        "on the diagonal but found %lld:%lld:%lld and %lld:%lld:%lld",
                        (long long)i.begin, (long long)i.end, (long long)i.stride,
                        (long long)j.begin, (long long)j.end, (long long)j.stride);
    }
    *box = (hit_syrk_box){.products = 0};
    HIT_TRY(add_product(run, size_bytes, below, j, box));
    if (hit_sig_count(crossing) == 0) return HIT_OK;
    HIT_TRY(add_product(run, size_bytes, crossing, left, box));
    HIT_TRY(read_product(run, size_bytes, crossing, crossing, &square));
    box->triangle = (hit_syrk){.n = square.m,
                               .k = square.k,
                               .lda = square.lda,
                               .ldc = square.ldc,
                               .alpha = square.alpha,
                               .beta = square.beta,
                               .a = square.a,
                               .c = square.c,
                               .library = square.library};
    return HIT_OK;
}
