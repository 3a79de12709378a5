/* SPDX-License-Identifier: MIT
 * LU of one block, A = L U without pivoting, on the host. It is launched on one index, as
 * potrf is. */
#include "hit/kernel.h"
#include "kernels/lapack.h"

enum {
    BLOCK = 32 /* columns that are eliminated by plain loops */
};

#define REAL float
#define TYPED(name) name##_float
#include "kernels/lu_loops.h"

#define REAL double
#define TYPED(name) name##_double
#include "kernels/lu_loops.h"

static hit_status tell_getrf(const hit_run *run, int order)
{
    const hit_extent rows = hit_extent_of_slot(run, 0, 0);

    if (order == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "getrf: expected pivots that are not 0, but that of row %d of the "
                    "block is (index %lld)",
                    order, (long long)(rows.begin + (order - 1) * rows.stride));
}

/* the arguments of a kernel are a table */
/* clang-format off */
#define GETRF(c_type)                                                                    \
    HIT_KERNEL_TABLE(getrf_##c_type, (k), 1, hit_lapack_prepare, 0, NULL, NULL,          \
        (inout, c_type, a, "[:, :]"))                                                    \
    static hit_status getrf_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_matrix a;                                                                    \
        int order;                                                                       \
                                                                                         \
        HIT_TRY(hit_run_is_one(run, "getrf"));                                           \
        HIT_TRY(hit_matrix_read_all(run, 0, "getrf, argument a", sizeof(c_type), &a));   \
        HIT_TRY(hit_matrix_fits(&a, "getrf, argument a", a.rows, a.rows));               \
        HIT_TRY(factor_##c_type(&a, run->prepared, &order));                             \
        return tell_getrf(run, order);                                                   \
    }

GETRF(float)
GETRF(double)
/* clang-format on */
