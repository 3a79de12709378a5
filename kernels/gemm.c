/* SPDX-License-Identifier: MIT
 * Matrix products as kernels of whole boxes. The index (i, j) is an element of C; k is
 * traversed and runs over what the tiles A and B have, or over a part of it, where they
 * do not fit a device's memory. In gemm_nt B is transposed, in gemm_tn A. blas_run.c says
 * what a run means to BLAS; openblas_calls.c, gemm_plain.c and gemm_cublas.c multiply. */
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

/* the arguments of a kernel are a table */
/* clang-format off */
#define GEMM(name, of, c_type, operations, pattern_a, pattern_b, along_a, along_b, trans_a, trans_b) \
    HIT_OPERATIONS_ALONG(name##_##of, operations, 1, along_a);                           \
    HIT_BOX_SUM_KERNEL(name##_##of, (i, j),                                              \
                       (HIT_ALONG(1, along_a), HIT_ALONG(2, along_b)), hit_gemm_prepare, \
        (inout, c_type, c, "[i, j]"),                                                    \
        (in,    c_type, a, pattern_a),                                                   \
        (in,    c_type, b, pattern_b),                                                   \
        (value, c_type, alpha),                                                          \
        (value, c_type, beta))                                                           \
    {                                                                                    \
        hit_gemm gemm;                                                                   \
                                                                                         \
        HIT_TRY(hit_gemm_read(run, HIT_GEMM_TYPE(c_type), trans_a, trans_b, &gemm));     \
        return hit_gemm_##of(&gemm);                                                     \
    }
#define GEMMS(of, c_type, operations)                                                            \
    GEMM(gemm, of, c_type, operations, "[i, :]", "[:, j]", 1, 0, false, false)                   \
    GEMM(gemm_nt, of, c_type, operations, "[i, :]", "[j, :]", 1, 1, false, true)                 \
    GEMM(gemm_tn, of, c_type, operations, "[:, i]", "[:, j]", 0, 0, true, false)

GEMMS(float, float, 2)
GEMMS(double, double, 2)
GEMMS(complex_float, hit_complex_float, 8)
GEMMS(complex_double, hit_complex_double, 8)
/* clang-format on */
