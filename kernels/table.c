/* SPDX-License-Identifier: MIT
 * The list of kernels that come with the library: `hit plan` finds them here by name, and
 * the contract test runs each of them. A new kernel is one line here. */
#include "kernels/kernels.h"

/* clang-format off */
#define BOTH(DO, name) DO(name##_double) DO(name##_float)
#define KERNELS(DO)                                                                      \
    BOTH(DO, axpy)                                                                       \
    BOTH(DO, dot)                                                                        \
    BOTH(DO, fill)                                                                       \
    BOTH(DO, gemm)                                                                       \
    BOTH(DO, gemm_complex)                                                               \
    BOTH(DO, gemm_nt)                                                                    \
    BOTH(DO, gemm_nt_complex)                                                            \
    BOTH(DO, gemm_tn)                                                                    \
    BOTH(DO, gemm_tn_complex)                                                            \
    BOTH(DO, geqrt)                                                                      \
    BOTH(DO, gessm)                                                                      \
    BOTH(DO, getrf)                                                                      \
    BOTH(DO, getrf_inc)                                                                  \
    BOTH(DO, heat)                                                                       \
    BOTH(DO, matvec)                                                                     \
    BOTH(DO, max_abs)                                                                    \
    BOTH(DO, norm2)                                                                      \
    BOTH(DO, potrf)                                                                      \
    BOTH(DO, scale)                                                                      \
    BOTH(DO, ssssm)                                                                      \
    BOTH(DO, stencil7)                                                                   \
    BOTH(DO, syrk)                                                                       \
    BOTH(DO, trsm_lln)                                                                   \
    BOTH(DO, trsm_llnu)                                                                  \
    BOTH(DO, trsm_llt)                                                                   \
    BOTH(DO, trsm_rlt)                                                                   \
    BOTH(DO, trsm_lun)                                                                   \
    BOTH(DO, trsm_run)                                                                   \
    BOTH(DO, tsmqr)                                                                      \
    BOTH(DO, tsqrt)                                                                      \
    BOTH(DO, tstrf)                                                                      \
    BOTH(DO, unmqr)                                                                      \
    BOTH(DO, vector_add)                                                                 \
    DO(wave_float)                                                                       \
    DO(wave_source_float)
/* clang-format on */

#define ENTRY(name) &(name),

const hit_kernel *const hit_kernel_table[] = {KERNELS(ENTRY)};
const int hit_kernel_table_count =
    (int)(sizeof hit_kernel_table / sizeof hit_kernel_table[0]);
