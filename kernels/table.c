/* SPDX-License-Identifier: MIT
 * The list of kernels that come with the library: `hit plan` finds them here by name, and
 * the contract test runs each of them. A new kernel is one line here, one in kernels.h.
 */
#include "kernels/kernels.h"

const hit_kernel *const hit_kernel_table[] = {
    &axpy_double,       &axpy_float,       &dot_double,      &dot_float,
    &fill_double,       &fill_float,       &gemm_double,     &gemm_float,
    &heat_double,       &heat_float,       &matvec_double,   &matvec_float,
    &max_abs_double,    &max_abs_float,    &norm2_double,    &norm2_float,
    &scale_double,      &scale_float,      &stencil7_double, &stencil7_float,
    &vector_add_double, &vector_add_float, &wave_float,      &wave_source_float,
};
const int hit_kernel_table_count =
    (int)(sizeof hit_kernel_table / sizeof hit_kernel_table[0]);
