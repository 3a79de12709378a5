/* SPDX-License-Identifier: MIT
 * The list of kernels that come with the library: `hit plan` finds them here by name, and
 * the contract test runs each of them. A new kernel is one line here. */
#include "kernels/kernels.h"

/* clang-format off */
#define KERNELS(X)                                                                       \
    X(axpy_double)                                                                       \
    X(axpy_float)                                                                        \
    X(dot_double)                                                                        \
    X(dot_float)                                                                         \
    X(fill_double)                                                                       \
    X(fill_float)                                                                        \
    X(gemm_double)                                                                       \
    X(gemm_float)                                                                        \
    X(heat_double)                                                                       \
    X(heat_float)                                                                        \
    X(matvec_double)                                                                     \
    X(matvec_float)                                                                      \
    X(max_abs_double)                                                                    \
    X(max_abs_float)                                                                     \
    X(norm2_double)                                                                      \
    X(norm2_float)                                                                       \
    X(scale_double)                                                                      \
    X(scale_float)                                                                       \
    X(stencil7_double)                                                                   \
    X(stencil7_float)                                                                    \
    X(vector_add_double)                                                                 \
    X(vector_add_float)                                                                  \
    X(wave_float)                                                                        \
    X(wave_source_float)
/* clang-format on */

#define DECLARE(name) extern const hit_kernel name;
#define ENTRY(name) &name,

KERNELS(DECLARE)

const hit_kernel *const hit_kernel_table[] = {KERNELS(ENTRY)};
const int hit_kernel_table_count =
    (int)(sizeof hit_kernel_table / sizeof hit_kernel_table[0]);
