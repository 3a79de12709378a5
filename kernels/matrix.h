/* SPDX-License-Identifier: MIT
 * Internal to kernels/: a part of a tile as BLAS wants a row-major matrix. */
#ifndef KERNELS_MATRIX_H
#define KERNELS_MATRIX_H

#include "hit/data/sig.h"
#include "patterns/kernel.h"

typedef struct hit_matrix {
    void *data;
    int rows, columns;
    int ld; /**< elements from one row to the next */
} hit_matrix;

/** The indices of @p run along @p dim. */
hit_sig hit_sig_of_index(const hit_run *run, int dim);
/** What ":" stands for in dimension @p dim of argument @p arg. */
hit_sig hit_sig_of_slot(const hit_run *run, int arg, int dim);

/** Rows x columns of argument @p arg, which failures call @p name
 * ("gemm, argument c").
 * @errors HIT_E_ARG rows that are not contiguous, a size beyond INT_MAX */
hit_status hit_matrix_read(const hit_run *run, int arg, const char *name,
                           const hit_sig of[2], size_t size_bytes, hit_matrix *found);
/** All of argument @p arg. */
hit_status hit_matrix_read_all(const hit_run *run, int arg, const char *name,
                               size_t size_bytes, hit_matrix *found);
/** The columns of it that the first index names. */
hit_status hit_matrix_read_columns(const hit_run *run, int arg, const char *name,
                                   size_t size_bytes, hit_matrix *found);
/** Refuse a matrix of other sizes. @errors HIT_E_ARG */
hit_status hit_matrix_fits(const hit_matrix *matrix, const char *name, int rows,
                           int columns);
/** The same for one row or more, of @p columns; inline, so that callers are seen to have
 * rows behind it. */
static inline hit_status hit_matrix_fits_width(const hit_matrix *matrix, const char *name,
                                               int columns)
{
    if (matrix->rows < 1) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected one row or more, but found none", name);
    }
    return hit_matrix_fits(matrix, name, matrix->rows, columns);
}

/** @p rows x @p columns of @p matrix, from (@p row, @p column) on. */
hit_matrix hit_matrix_part(const hit_matrix *matrix, int row, int column, int rows,
                           int columns, size_t size_bytes);
/** Refuse a launch of a kernel that is one piece of work on more than one index.
 * @errors HIT_E_ARG */
hit_status hit_run_is_one(const hit_run *run, const char *name);

#endif
