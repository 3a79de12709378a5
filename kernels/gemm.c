/* SPDX-License-Identifier: MIT
 * Matrix products as kernels of whole boxes: the patterns, and what a run of them means
 * in the words of BLAS. The index (i, j) is an element of C; k is traversed and runs over
 * what the tiles A and B have, or over a part of it, where they do not fit a device's
 * memory. In gemm_nt B is transposed, in gemm_tn A. Who multiplies is in
 * openblas_calls.c, gemm_plain.c and gemm_cublas.c. */
#include "kernels/gemm.h"

#include "hit/kernel.h"

enum {
    C,
    A,
    B,
    ALPHA,
    BETA
};

/* the arguments of a kernel are a table */
/* clang-format off */
#define GEMM(name, c_type, pattern_a, pattern_b, along_a, along_b, trans_a, trans_b)     \
    HIT_OPERATIONS_ALONG(name##_##c_type, 2, A, along_a);                                \
    HIT_BOX_SUM_KERNEL(name##_##c_type, (i, j),                                          \
                       (HIT_ALONG(A, along_a), HIT_ALONG(B, along_b)), hit_gemm_prepare, \
        (inout, c_type, c, "[i, j]"),                                                    \
        (in,    c_type, a, pattern_a),                                                   \
        (in,    c_type, b, pattern_b),                                                   \
        (value, c_type, alpha),                                                          \
        (value, c_type, beta))                                                           \
    {                                                                                    \
        hit_gemm gemm;                                                                   \
                                                                                         \
        HIT_TRY(hit_gemm_read(run, sizeof(c_type), trans_a, trans_b, &gemm));            \
        return hit_gemm_##c_type(&gemm);                                                 \
    }

GEMM(gemm, float, "[i, :]", "[:, j]", 1, 0, false, false)
GEMM(gemm, double, "[i, :]", "[:, j]", 1, 0, false, false)
GEMM(gemm_nt, float, "[i, :]", "[j, :]", 1, 1, false, true)
GEMM(gemm_nt, double, "[i, :]", "[j, :]", 1, 1, false, true)
GEMM(gemm_tn, float, "[:, i]", "[:, j]", 0, 0, true, false)
GEMM(gemm_tn, double, "[:, i]", "[:, j]", 0, 0, true, false)
/* clang-format on */

/* The factor of C counts once, for the first part of a sum. */
static const void *beta_of(const hit_run *run, size_t size_bytes)
{
    static const double one = 1;
    static const float one_float = 1;

    if (!run->later) return run->slot[BETA].base;
    return size_bytes == sizeof(one) ? (const void *)&one : (const void *)&one_float;
}

hit_gemm hit_gemm_of(const hit_matrix *a, const hit_matrix *b, const hit_matrix *c)
{
    return (hit_gemm){.m = c->rows,
                      .n = c->columns,
                      .k = b->rows,
                      .lda = a->ld,
                      .ldb = b->ld,
                      .ldc = c->ld,
                      .a = a->data,
                      .b = b->data,
                      .c = c->data};
}

hit_status hit_gemm_read_part(const hit_run *run, const hit_gemm_form *form,
                              const hit_sig c[2], size_t size_bytes, hit_gemm *gemm)
{
    const bool trans_a = form->trans_a;
    const bool trans_b = form->trans_b;
    const hit_sig k = hit_sig_of_slot(run, A, trans_a ? 0 : 1);
    const hit_sig of_b = hit_sig_of_slot(run, B, trans_b ? 1 : 0);
    const hit_sig a[2] = {trans_a ? k : c[0], trans_a ? c[0] : k};
    const hit_sig b[2] = {trans_b ? c[1] : k, trans_b ? k : c[1]};
    hit_matrix at[3];

    if (!hit_sig_equal(k, of_b)) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected the %s of A to be the %s of B, but they are "
                        "%lld:%lld:%lld and %lld:%lld:%lld",
                        form->kernel, trans_a ? "rows" : "columns",
                        trans_b ? "columns" : "rows", (long long)k.begin,
                        (long long)k.end, (long long)k.stride, (long long)of_b.begin,
                        (long long)of_b.end, (long long)of_b.stride);
    }
    HIT_TRY(hit_matrix_read(run, C, form->arg[C], c, size_bytes, &at[C]));
    HIT_TRY(hit_matrix_read(run, A, form->arg[A], a, size_bytes, &at[A]));
    HIT_TRY(hit_matrix_read(run, B, form->arg[B], b, size_bytes, &at[B]));
    *gemm = (hit_gemm){.m = at[C].rows,
                       .n = at[C].columns,
                       .k = (int)hit_sig_count(k),
                       .trans_a = trans_a,
                       .trans_b = trans_b,
                       .lda = at[A].ld,
                       .ldb = at[B].ld,
                       .ldc = at[C].ld,
                       .alpha = run->slot[ALPHA].base,
                       .beta = beta_of(run, size_bytes),
                       .a = at[A].data,
                       .b = at[B].data,
                       .c = at[C].data,
                       .library = run->prepared};
    return HIT_OK;
}

hit_status hit_gemm_read(const hit_run *run, size_t size_bytes, bool trans_a,
                         bool trans_b, hit_gemm *gemm)
{
    const hit_gemm_form form = {
        .kernel = "gemm",
        .arg = {"gemm, argument c", "gemm, argument a", "gemm, argument b"},
        .trans_a = trans_a,
        .trans_b = trans_b};
    const hit_sig c[2] = {hit_sig_of_index(run, 0), hit_sig_of_index(run, 1)};

    return hit_gemm_read_part(run, &form, c, size_bytes, gemm);
}
