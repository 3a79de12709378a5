/* SPDX-License-Identifier: MIT
 * The kernels that come with the library. Each is launched like a kernel of the program's
 * own; docs/kernel.md has the indices and the arguments of each. */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include "hit/launch/catalogue.h"

HIT_C_BEGIN

/** 1-D, kernels/vector.k.c. */
extern HIT_API const hit_kernel vector_add_float, vector_add_double;
extern HIT_API const hit_kernel axpy_float, axpy_double;
extern HIT_API const hit_kernel fill_float, fill_double;
extern HIT_API const hit_kernel scale_float, scale_double;
extern HIT_API const hit_kernel dot_float, dot_double;
extern HIT_API const hit_kernel norm2_float, norm2_double;
extern HIT_API const hit_kernel max_abs_float, max_abs_double;

/** kernels/stencil.k.c. */
extern HIT_API const hit_kernel heat_float, heat_double;
extern HIT_API const hit_kernel stencil7_float, stencil7_double;

/** kernels/matvec.k.c. */
extern HIT_API const hit_kernel matvec_float, matvec_double;

/** kernels/wave.k.c. */
extern HIT_API const hit_kernel wave_float, wave_source_float;

/** The value of wave_source_float: the source is round, and smooth at its rim. */
typedef struct hit_wave_shot {
    hit_index centre[2];
    float radius; /**< in cells, > 0 */
    float sample; /**< what is added at the centre */
} hit_wave_shot;

/** kernels/gemm.c: C = alpha A B + beta C; nt: A B'; tn: A' B. */
extern HIT_API const hit_kernel gemm_float, gemm_double;
extern HIT_API const hit_kernel gemm_nt_float, gemm_nt_double;
extern HIT_API const hit_kernel gemm_tn_float, gemm_tn_double;
/** Of complex numbers. A' and B' are transposed, not conjugated. */
extern HIT_API const hit_kernel gemm_complex_float, gemm_complex_double;
extern HIT_API const hit_kernel gemm_nt_complex_float, gemm_nt_complex_double;
extern HIT_API const hit_kernel gemm_tn_complex_float, gemm_tn_complex_double;

/** kernels/potrf.c: the lower triangle of A = L L' becomes L. Launched on one index,
 * hit_domain_of(1); host devices only. HIT_E_ARG: A is not positive definite. */
extern HIT_API const hit_kernel potrf_float, potrf_double;

/** kernels/lu.c: A = L U without pivoting; L has ones on its diagonal, and A keeps what
 * is below it. One index, host devices only. HIT_E_ARG: a pivot is 0. */
extern HIT_API const hit_kernel getrf_float, getrf_double;
/** The same with incremental pivoting. getrf_inc: A = P L U; P is one row of 32-bit
 * indices: the row, from 0, that row i changed places with. L is written apart, too, so
 * that gessm, which makes inv(L) P C of C, reads nothing that tstrf writes. */
extern HIT_API const hit_kernel getrf_inc_float, getrf_inc_double;
extern HIT_API const hit_kernel gessm_float, gessm_double;
/** The same for a block A below the triangle U that is there already: U becomes that of
 * both, A becomes multipliers, L those of rows that went up; as many columns as L has
 * rows are eliminated at a time. An index of P is i, or the columns of A and a row of A.
 * In ssssm C belongs to A, and top to U. getrf_inc and tstrf have one index, of the
 * others it is a column of C. */
extern HIT_API const hit_kernel tstrf_float, tstrf_double;
extern HIT_API const hit_kernel ssssm_float, ssssm_double;

/** kernels/qr.c, host devices only. geqrt: A = Q R becomes R and, below its diagonal, V;
 * T is what Q is made of besides, and as many columns are gathered as it has rows, at
 * most 64. V is written apart, too, so that unmqr, which makes Q' C of C, reads nothing
 * that tsqrt writes. */
extern HIT_API const hit_kernel geqrt_float, geqrt_double;
extern HIT_API const hit_kernel unmqr_float, unmqr_double;
/** The same for a block A below the triangle R that is there already: R becomes that of
 * both, A becomes V. In tsmqr C belongs to A, and top to R. geqrt and tsqrt have one
 * index, of the others it is a column of C. */
extern HIT_API const hit_kernel tsqrt_float, tsqrt_double;
extern HIT_API const hit_kernel tsmqr_float, tsmqr_double;

/** kernels/lapack.c. The lower triangle of C = alpha A A' + beta C; its indices are those
 * of C. A is given twice, as the factors of a product are. */
extern HIT_API const hit_kernel syrk_float, syrk_double;
/** X becomes X inv(L'), inv(L) X, inv(L') X, X inv(U), inv(U) X or, with ones for the
 * diagonal of L, inv(L) X, of the lower triangle of L or the upper one of U. The index is
 * a row of X for rlt and run, a column for the others. */
extern HIT_API const hit_kernel trsm_rlt_float, trsm_rlt_double;
extern HIT_API const hit_kernel trsm_lln_float, trsm_lln_double;
extern HIT_API const hit_kernel trsm_llt_float, trsm_llt_double;
extern HIT_API const hit_kernel trsm_run_float, trsm_run_double;
extern HIT_API const hit_kernel trsm_lun_float, trsm_lun_double;
extern HIT_API const hit_kernel trsm_llnu_float, trsm_llnu_double;

HIT_C_END

#endif
