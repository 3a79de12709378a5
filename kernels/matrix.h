/* SPDX-License-Identifier: MIT
 * Internal to kernels/: a part of a tile as BLAS wants a row-major matrix. */
#ifndef KERNELS_MATRIX_H
#define KERNELS_MATRIX_H

#include "patterns/kernel.h"

/** The elements begin, begin + stride, ..., end of a dimension. */
typedef struct hit_extent {
    hit_index begin, end, stride;
} hit_extent;

typedef struct hit_matrix {
    void *data;
    int rows, columns;
    int ld; /**< elements from one row to the next */
} hit_matrix;

/** The indices of @p run along @p dim. */
hit_extent hit_extent_of_index(const hit_run *run, int dim);
/** What ":" stands for in dimension @p dim of argument @p arg. */
hit_extent hit_extent_of_slot(const hit_run *run, int arg, int dim);
hit_index hit_extent_count(hit_extent x);
bool hit_extent_equal(hit_extent x, hit_extent y);

/** Rows x columns of argument @p arg, which failures call @p name
 * ("gemm, argument c").
 * @errors HIT_E_ARG rows that are not contiguous, a size beyond INT_MAX */
hit_status hit_matrix_read(const hit_run *run, int arg, const char *name,
                           const hit_extent of[2], size_t size_bytes, hit_matrix *found);
/** All of argument @p arg. */
hit_status hit_matrix_read_all(const hit_run *run, int arg, const char *name,
                               size_t size_bytes, hit_matrix *found);
/** The columns of it that the first index names. */
hit_status hit_matrix_read_columns(const hit_run *run, int arg, const char *name,
                                   size_t size_bytes, hit_matrix *found);
/** Refuse a matrix of other sizes. @errors HIT_E_ARG */
hit_status hit_matrix_fits(const hit_matrix *matrix, const char *name, int rows,
                           int columns);
/** @p rows x @p columns of @p matrix, from (@p row, @p column) on. */
hit_matrix hit_matrix_part(const hit_matrix *matrix, int row, int column, int rows,
                           int columns, size_t size_bytes);
/** Refuse a launch of a kernel that is one piece of work on more than one index.
 * @errors HIT_E_ARG */
hit_status hit_run_is_one(const hit_run *run, const char *name);

#endif
