/* SPDX-License-Identifier: MIT
 * Matrix products as kernels of whole boxes: the patterns, and what a run of them means
 * in the words of BLAS. The index (i, j) is an element of C; k is traversed and runs over
 * what the tiles A and B have, or over a part of it, where they do not fit a device's
 * memory. In gemm_nt B is transposed, in gemm_tn A. Who multiplies is in
 * openblas_calls.c, gemm_plain.c and gemm_cublas.c. */
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

enum {
    C,
    A,
    B,
    ALPHA,
    BETA
};

/* the arguments of a kernel are a table */
/* clang-format off */
#define GEMM(name, of, c_type, operations, pattern_a, pattern_b, along_a, along_b, trans_a, trans_b) \
    HIT_OPERATIONS_ALONG(name##_##of, operations, A, along_a);                           \
    HIT_BOX_SUM_KERNEL(name##_##of, (i, j),                                              \
                       (HIT_ALONG(A, along_a), HIT_ALONG(B, along_b)), hit_gemm_prepare, \
        (inout, c_type, c, "[i, j]"),                                                    \
        (in,    c_type, a, pattern_a),                                                   \
        (in,    c_type, b, pattern_b),                                                   \
        (value, c_type, alpha),                                                          \
        (value, c_type, beta))                                                           \
    {                                                                                    \
        hit_gemm gemm;                                                                   \
                                                                                         \
        HIT_TRY(hit_gemm_read(run, HIT_GEMM_TYPE(c_type), trans_a, trans_b, &gemm));     \
        return hit_gemm_##of(&gemm);                                                     \
    }
#define GEMMS(of, c_type, operations)                                                            \
    GEMM(gemm, of, c_type, operations, "[i, :]", "[:, j]", 1, 0, false, false)                   \
    GEMM(gemm_nt, of, c_type, operations, "[i, :]", "[j, :]", 1, 1, false, true)                 \
    GEMM(gemm_tn, of, c_type, operations, "[:, i]", "[:, j]", 0, 0, true, false)

GEMMS(float, float, 2)
GEMMS(double, double, 2)
GEMMS(complex_float, hit_complex_float, 8)
GEMMS(complex_double, hit_complex_double, 8)
/* clang-format on */

/* The factor of C counts once, for the first part of a sum. */
static const void *beta_of(const hit_run *run, hit_kind kind)
{
    static const float one_float = 1;
    static const double one_double = 1;
    static const hit_complex_float one_complex_float = 1;
    static const hit_complex_double one_complex_double = 1;

    if (!run->later) return run->slot[BETA].base;
    return kind == HIT_KIND_FLOAT           ? (const void *)&one_float
           : kind == HIT_KIND_DOUBLE        ? (const void *)&one_double
           : kind == HIT_KIND_COMPLEX_FLOAT ? (const void *)&one_complex_float
                                            : (const void *)&one_complex_double;
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
                              const hit_sig c[2], hit_type type, hit_gemm *gemm)
{
    const bool trans_a = form->trans_a;
    const bool trans_b = form->trans_b;
    const hit_sig k = hit_sig_of_slot(run, A, trans_a ? 0 : 1);
    const hit_sig of_b = hit_sig_of_slot(run, B, trans_b ? 1 : 0);
    const hit_sig a[2] = {trans_a ? k : c[0], trans_a ? c[0] : k};
    const hit_sig b[2] = {trans_b ? c[1] : k, trans_b ? k : c[1]};
    const size_t size_bytes = type.size_bytes;
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
                       .beta = beta_of(run, type.kind),
                       .a = at[A].data,
                       .b = at[B].data,
                       .c = at[C].data,
                       .library = run->prepared};
    return HIT_OK;
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
