/* SPDX-License-Identifier: MIT
 * Matrix products as kernels of whole boxes: the patterns, and what a run of them means
 * in the words of BLAS. The index (i, j) is an element of C; k is traversed and runs over
 * the columns of A and the rows of B that the tiles have. Who multiplies is in
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
HIT_BOX_KERNEL(gemm_float, (i, j),
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

HIT_BOX_KERNEL(gemm_double, (i, j),
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

/** A matrix as BLAS wants it: rows x columns of @p slot. */
static hit_status read_matrix(const hit_run *run, int arg, extent row, extent column,
                              size_t size_bytes, void **data, int *ld)
{
    const hit_slot *slot = &run->slot[arg];
    const hit_index first[2] = {row.begin, column.begin};
    hit_index rows = row.stride / slot->step[0] * slot->stride[0];
    hit_index columns = column.stride / slot->step[1] * slot->stride[1];

    if (columns != 1 && extent_count(column) > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "gemm: expected contiguous rows of %c, but neighbours are %lld "
                        "elements apart; copy it to a tile of its own",
                        "CAB"[arg], (long long)columns);
    }
    if (extent_count(row) <= 1) rows = extent_count(column);
    if (rows > INT_MAX || rows < extent_count(column)) {
        return HIT_FAIL(
            HIT_E_ARG, "gemm: expected rows of %c of %lld to %d elements, found %lld",
            "CAB"[arg], (long long)extent_count(column), INT_MAX, (long long)rows);
    }
    *ld = rows > 0 ? (int)rows : 1;
    *data = hit_run_address(run, arg, 2, first, size_bytes);
    return HIT_OK;
}

hit_status hit_gemm_read(const hit_run *run, size_t size_bytes, hit_gemm *gemm)
{
    const hit_slot *a = &run->slot[A];
    const hit_slot *b = &run->slot[B];
    const extent i = {run->begin[0], run->end[0], run->stride[0]};
    const extent j = {run->begin[1], run->end[1], run->stride[1]};
    const extent k = {a->begin[1], a->end[1], a->step[1]};
    void *from_a;
    void *from_b;

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
    HIT_TRY(read_matrix(run, C, i, j, size_bytes, &gemm->c, &gemm->ldc));
    HIT_TRY(read_matrix(run, A, i, k, size_bytes, &from_a, &gemm->lda));
    HIT_TRY(read_matrix(run, B, k, j, size_bytes, &from_b, &gemm->ldb));
    gemm->m = (int)extent_count(i);
    gemm->n = (int)extent_count(j);
    gemm->k = (int)extent_count(k);
    gemm->a = from_a;
    gemm->b = from_b;
    gemm->alpha = run->slot[ALPHA].base;
    gemm->beta = run->slot[BETA].base;
    gemm->threads = run->threads;
    return HIT_OK;
}
