/* SPDX-License-Identifier: MIT
 * The list of kernels that come with the library: `hit plan` finds them here by name, and
 * the contract test runs each of them. A new kernel is one line here. */
#include "kernels/kernels.h"

/* clang-format off */
#define KERNELS(DO)                                                                      \
    DO(axpy_double)                                                                      \
    DO(axpy_float)                                                                       \
    DO(dot_double)                                                                       \
    DO(dot_float)                                                                        \
    DO(fill_double)                                                                      \
    DO(fill_float)                                                                       \
    DO(gemm_double)                                                                      \
    DO(gemm_float)                                                                       \
    DO(gemm_nt_double)                                                                   \
    DO(gemm_nt_float)                                                                    \
    DO(gemm_tn_double)                                                                   \
    DO(gemm_tn_float)                                                                    \
    DO(geqrt_double)                                                                     \
    DO(geqrt_float)                                                                      \
    DO(gessm_double)                                                                     \
    DO(gessm_float)                                                                      \
    DO(getrf_double)                                                                     \
    DO(getrf_float)                                                                      \
    DO(getrf_inc_double)                                                                 \
    DO(getrf_inc_float)                                                                  \
    DO(heat_double)                                                                      \
    DO(heat_float)                                                                       \
    DO(matvec_double)                                                                    \
    DO(matvec_float)                                                                     \
    DO(max_abs_double)                                                                   \
    DO(max_abs_float)                                                                    \
    DO(norm2_double)                                                                     \
    DO(norm2_float)                                                                      \
    DO(potrf_double)                                                                     \
    DO(potrf_float)                                                                      \
    DO(scale_double)                                                                     \
    DO(scale_float)                                                                      \
    DO(ssssm_double)                                                                     \
    DO(ssssm_float)                                                                      \
    DO(stencil7_double)                                                                  \
    DO(stencil7_float)                                                                   \
    DO(syrk_double)                                                                      \
    DO(syrk_float)                                                                       \
    DO(trsm_lln_double)                                                                  \
    DO(trsm_lln_float)                                                                   \
    DO(trsm_llnu_double)                                                                 \
    DO(trsm_llnu_float)                                                                  \
    DO(trsm_llt_double)                                                                  \
    DO(trsm_llt_float)                                                                   \
    DO(trsm_rlt_double)                                                                  \
    DO(trsm_rlt_float)                                                                   \
    DO(trsm_lun_double)                                                                  \
    DO(trsm_lun_float)                                                                   \
    DO(trsm_run_double)                                                                  \
    DO(trsm_run_float)                                                                   \
    DO(tsmqr_double)                                                                     \
    DO(tsmqr_float)                                                                      \
    DO(tsqrt_double)                                                                     \
    DO(tsqrt_float)                                                                      \
    DO(tstrf_double)                                                                     \
    DO(tstrf_float)                                                                      \
    DO(unmqr_double)                                                                     \
    DO(unmqr_float)                                                                      \
    DO(vector_add_double)                                                                \
    DO(vector_add_float)                                                                 \
    DO(wave_float)                                                                       \
    DO(wave_source_float)
/* clang-format on */

#define DECLARE(name) extern const hit_kernel name;
#define ENTRY(name) &(name),

KERNELS(DECLARE)

const hit_kernel *const hit_kernel_table[] = {KERNELS(ENTRY)};
const int hit_kernel_table_count =
    (int)(sizeof hit_kernel_table / sizeof hit_kernel_table[0]);
