/* SPDX-License-Identifier: MIT
 * Triangles in plain C, for builds without BLAS: blocks on the diagonal by plain loops,
 * all else by the products of gemm_plain.c. */
#include "kernels/lapack.h"

#include <math.h>

enum {
    BLOCK = 48 /* rows and columns of a block on the diagonal */
};

/* Does the solution begin with the last row? */
static bool goes_up(hit_trsm_form form)
{
    return hit_trsm_letters_of[form].upper != hit_trsm_letters_of[form].transposed &&
           !hit_trsm_letters_of[form].right;
}

#define REAL float
#define ROOT sqrtf
#define FACTOR_OF factor_of_float
#define SOLVE_RIGHT solve_right_float
#define SOLVE_LEFT solve_left_float
#define UPDATE_BLOCK update_block_float
#define FACTOR_BLOCK factor_block_float
#define MULTIPLY hit_gemm_float
#define TRSM hit_trsm_float
#define SYRK hit_syrk_float
#define POTRF hit_potrf_float
#include "kernels/lapack_plain_loops.h"

#define REAL double
#define ROOT sqrt
#define FACTOR_OF factor_of_double
#define SOLVE_RIGHT solve_right_double
#define SOLVE_LEFT solve_left_double
#define UPDATE_BLOCK update_block_double
#define FACTOR_BLOCK factor_block_double
#define MULTIPLY hit_gemm_double
#define TRSM hit_trsm_double
#define SYRK hit_syrk_double
#define POTRF hit_potrf_double
#include "kernels/lapack_plain_loops.h"

hit_status hit_lapack_prepare(void **library)
{
    *library = NULL;
    return HIT_OK;
}
