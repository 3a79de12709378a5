/* SPDX-License-Identifier: MIT
 * Matrix products as kernels of whole boxes: the patterns, and what a run of them means
 * in the words of BLAS. The index (i, j) is an element of C; k is traversed and runs over
 * the columns of A and the rows of B that the tiles have, or over a part of them, where
 * they do not fit a device's memory. Who multiplies is in
 * gemm_openblas.c, gemm_plain.c and gemm_cublas.c. */
#include "kernels/gemm.h"

#include "hit/kernel.h"

#include <limits.h>

enum {
    C,
    A,
    B,
    ALPHA,
    BETA
};

/* the arguments of a kernel are a table */
/* clang-format off */
HIT_OPERATIONS_ALONG(gemm_float, 2, A, 1);
HIT_BOX_SUM_KERNEL(gemm_float, (i, j), (HIT_ALONG(A, 1), HIT_ALONG(B, 0)), hit_gemm_prepare,
    (inout, float, c, "[i, j]"),
    (in,    float, a, "[i, :]"),
    (in,    float, b, "[:, j]"),
    (value, float, alpha),
    (value, float, beta))
{
    hit_gemm gemm;

    HIT_TRY(hit_gemm_read(run, sizeof(float), &gemm));
    return hit_gemm_float(&gemm);
}

HIT_OPERATIONS_ALONG(gemm_double, 2, A, 1);
HIT_BOX_SUM_KERNEL(gemm_double, (i, j), (HIT_ALONG(A, 1), HIT_ALONG(B, 0)), hit_gemm_prepare,
    (inout, double, c, "[i, j]"),
    (in,    double, a, "[i, :]"),
    (in,    double, b, "[:, j]"),
    (value, double, alpha),
    (value, double, beta))
{
    hit_gemm gemm;

    HIT_TRY(hit_gemm_read(run, sizeof(double), &gemm));
    return hit_gemm_double(&gemm);
}

/* clang-format on */

/** The elements begin, begin + stride, ..., end of a dimension. */
typedef struct extent {
    hit_index begin, end, stride;
} extent;

static hit_index extent_count(extent x)
{
    return x.end < x.begin ? 0 : (x.end - x.begin) / x.stride + 1;
}

/** A matrix as BLAS wants it. */
typedef struct matrix {
    void *data;
    int ld; /**< elements from one row to the next */
} matrix;

/** Rows x columns of argument @p arg. */
static hit_status read_matrix(const hit_run *run, int arg, const extent of[2],
                              size_t size_bytes, matrix *found)
{
    const hit_slot *slot = &run->slot[arg];
    const hit_index first[2] = {of[0].begin, of[1].begin};
    hit_index width = extent_count(of[1]);
    hit_index row = of[0].stride / slot->step[0] * slot->stride[0];
    hit_index column = of[1].stride / slot->step[1] * slot->stride[1];

    if (column != 1 && width > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "gemm: expected contiguous rows of %c, but neighbours are %lld "
                        "elements apart; copy it to a tile of its own",
                        "CAB"[arg], (long long)column);
    }
    if (extent_count(of[0]) <= 1) row = width;
    if (row > INT_MAX || row < width) {
        return HIT_FAIL(HIT_E_ARG,
                        "gemm: expected rows of %c that are %lld to %d elements apart, "
                        "but they are %lld",
                        "CAB"[arg], (long long)width, INT_MAX, (long long)row);
    }
    found->ld = row > 0 ? (int)row : 1;
    found->data = hit_run_address(run, arg, 2, first, size_bytes);
    return HIT_OK;
}

/* Beta counts once, for the first part of the sum. */
static const void *one_of(size_t size_bytes)
{
    static const double one = 1;
    static const float one_float = 1;

    return size_bytes == sizeof(one) ? (const void *)&one : (const void *)&one_float;
}

hit_status hit_gemm_read(const hit_run *run, size_t size_bytes, hit_gemm *gemm)
{
    const hit_slot *a = &run->slot[A];
    const hit_slot *b = &run->slot[B];
    const extent i = {run->begin[0], run->end[0], run->stride[0]};
    const extent j = {run->begin[1], run->end[1], run->stride[1]};
    const extent k = {a->begin[1], a->end[1], a->step[1]};
    matrix at[3];

    if (b->begin[0] != k.begin || b->end[0] != k.end || b->step[0] != k.stride) {
        return HIT_FAIL(HIT_E_ARG,
                        "gemm: expected the columns of A to be the rows of B, but they "
                        "are %lld:%lld:%lld and %lld:%lld:%lld",
                        (long long)k.begin, (long long)k.end, (long long)k.stride,
                        (long long)b->begin[0], (long long)b->end[0],
                        (long long)b->step[0]);
    }
    if (extent_count(i) > INT_MAX || extent_count(j) > INT_MAX ||
        extent_count(k) > INT_MAX) {
        return HIT_FAIL(HIT_E_ARG,
                        "gemm: expected sizes up to %d but found %lld x %lld x %lld",
                        INT_MAX, (long long)extent_count(i), (long long)extent_count(j),
                        (long long)extent_count(k));
    }
    HIT_TRY(read_matrix(run, C, (const extent[]){i, j}, size_bytes, &at[C]));
    HIT_TRY(read_matrix(run, A, (const extent[]){i, k}, size_bytes, &at[A]));
    HIT_TRY(read_matrix(run, B, (const extent[]){k, j}, size_bytes, &at[B]));
    *gemm = (hit_gemm){.m = (int)extent_count(i),
                       .n = (int)extent_count(j),
                       .k = (int)extent_count(k),
                       .lda = at[A].ld,
                       .ldb = at[B].ld,
                       .ldc = at[C].ld,
                       .alpha = run->slot[ALPHA].base,
                       .beta = run->later ? one_of(size_bytes) : run->slot[BETA].base,
                       .a = at[A].data,
                       .b = at[B].data,
                       .c = at[C].data,
                       .threads = run->threads,
                       .library = run->prepared};
    return HIT_OK;
}
