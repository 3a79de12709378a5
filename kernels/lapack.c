/* SPDX-License-Identifier: MIT
 * What factorisations by tiles and their solves do to the blocks beside the diagonal one,
 * as kernels of whole boxes. Matrices are row-major, and of L and of a symmetric matrix
 * only the lower triangle counts, of U the upper one. blas_run.c says what a run means to
 * BLAS; openblas_calls.c, lapack_plain.c and gemm_cublas.c compute. */
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
#define TRSMS(name, index, pattern, form)                                                \
    TRSM(name, float, index, pattern, form)                                              \
    TRSM(name, double, index, pattern, form)

TRSMS(trsm_rlt, (i), "[i, :]", HIT_TRSM_RLT)
TRSMS(trsm_lln, (j), "[:, j]", HIT_TRSM_LLN)
TRSMS(trsm_llt, (j), "[:, j]", HIT_TRSM_LLT)
TRSMS(trsm_run, (i), "[i, :]", HIT_TRSM_RUN)
TRSMS(trsm_lun, (j), "[:, j]", HIT_TRSM_LUN)
TRSMS(trsm_llnu, (j), "[:, j]", HIT_TRSM_LLNU)

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
        HIT_TRY(hit_syrk_read(run, HIT_GEMM_TYPE(c_type), &box));                        \
        for (int k = 0; k < box.products; k++) {                                         \
            HIT_TRY(hit_gemm_##c_type(&box.product[k]));                                 \
        }                                                                                \
        return box.triangle.c.rows > 0 ? hit_syrk_##c_type(&box.triangle) : HIT_OK;      \
    }

SYRK(float)
SYRK(double)
/* clang-format on */
