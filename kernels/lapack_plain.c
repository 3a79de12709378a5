/* SPDX-License-Identifier: MIT
 * Triangles in plain C, for builds without BLAS: blocks on the diagonal by plain loops,
 * all else by the products of gemm_plain.c. */
#include "kernels/kernels_impl.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 48 /* rows and columns of a block on the diagonal */
};

/* Does the solution begin with the last row? */
static bool goes_up(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].upper != hit_trsm_letters_of[form].transposed &&
           !hit_trsm_letters_of[form].right;
}

/* Rows of X, or columns where the triangle is on the right. */
static hit_matrix part_of_x(const hit_trsm *t, int from, int count, size_t bytes)
{
    return hit_trsm_letters_of[t->form].right
               ? hit_matrix_part(&t->x, 0, from, t->x.rows, count, bytes)
               : hit_matrix_part(&t->x, from, 0, count, t->x.columns, bytes);
}

#define REAL float
#define ROOT sqrtf
#define TYPED(name) name##_float
#include "kernels/lapack_plain_loops.h"

#define REAL double
#define ROOT sqrt
#define TYPED(name) name##_double
#include "kernels/lapack_plain_loops.h"
