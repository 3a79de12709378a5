/* SPDX-License-Identifier: MIT
 * The Cholesky factor of one block, A = L L', in its lower triangle. It is one piece of
 * work: it is launched on one index, and runs on host devices only. */
#include "hit/kernel.h"
#include "kernels/lapack.h"

/* What @p run asks for. @p rows: the indices of the rows */
static hit_status read_block(const hit_run *run, size_t size_bytes, hit_sig *rows,
                             hit_potrf *potrf)
{
    hit_matrix a;

    HIT_TRY(hit_run_is_one(run, "potrf"));
    HIT_TRY(hit_matrix_read_all(run, 0, "potrf, argument a", size_bytes, &a));
    HIT_TRY(hit_matrix_fits(&a, "potrf, argument a", a.rows, a.rows));
    *rows = hit_sig_of_slot(run, 0, 0);
    *potrf = (hit_potrf){.n = a.rows, .lda = a.ld, .a = a.data, .library = run->prepared};
    return HIT_OK;
}

static hit_status tell(const hit_sig *rows, int order)
{
    if (order == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "potrf: expected a positive definite matrix, but its leading minor "
                    "of order %d is not positive (index %lld)",
                    order, (long long)(rows->begin + (order - 1) * rows->stride));
}

/* HIT_BOX_KERNEL with prepare(): threads do not get parts of the indices, so that more
 * than one can be told */
/* the arguments of a kernel are a table */
/* clang-format off */
#define POTRF(c_type)                                                                    \
    HIT_KERNEL_TABLE(potrf_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type, a, "[:, :]"))                                                    \
    static hit_status potrf_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_potrf potrf;                                                                 \
        hit_sig rows;                                                                 \
        int order;                                                                       \
                                                                                         \
        HIT_TRY(read_block(run, sizeof(c_type), &rows, &potrf));                         \
        HIT_TRY(hit_potrf_##c_type(&potrf, &order));                                     \
        return tell(&rows, order);                                                       \
    }

POTRF(float)
POTRF(double)
/* clang-format on */
