/* SPDX-License-Identifier: MIT
 * QR by tiles, on the host: the kernels of A. Buttari, J. Langou, J. Kurzak, J. Dongarra,
 * "Parallel tiled QR factorization for multicore architectures", Concurrency and
 * Computation 20 (2008). Reflectors are gathered as I - V T V' (R. Schreiber, C. Van
 * Loan, SIAM J. Sci. Stat. Comput. 10, 1989), a few columns at a time. Blocks are
 * row-major and products do most of the work, so that there is one source for builds with
 * and without BLAS; LAPACK's own functions count by columns. What follows a panel is cut
 * over the threads of the device. */
#include "hit/base/memory.h"
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

#include <math.h>

enum {
    WIDEST = 64 /* columns whose reflectors are gathered in one T */
};

/** Reflectors of some columns, I - V T V'. V has below it, in a tile, what is not 0 or 1:
 * under the diagonal of a square (geqrt), or a whole block under an identity (tsqrt). */
typedef struct hit_reflectors {
    hit_matrix v;
    hit_matrix t; /* for each part of the columns, the rows and columns of its T */
    bool square;
    const hit_run *run;
} hit_reflectors;

/* The columns that are gathered at a time. */
static int width_of(const hit_reflectors *q, int from)
{
    const int most = q->t.rows < WIDEST ? q->t.rows : WIDEST;
    const int left = q->v.columns - from;

    return left < most ? left : most;
}

#define REAL float
#define TYPED(name) name##_float
#include "kernels/qr_loops.h"

#define REAL double
#define TYPED(name) name##_double
#include "kernels/qr_loops.h"

static hit_status read_geqrt(const hit_run *run, size_t size_bytes, hit_reflectors *q,
                             hit_matrix *v)
{
    *q = (hit_reflectors){.square = true, .run = run};
    HIT_TRY(hit_matrix_read_square(run, "geqrt", "geqrt, argument a", size_bytes, &q->v));
    HIT_TRY(hit_matrix_read_all(run, 1, "geqrt, argument t", size_bytes, &q->t));
    HIT_TRY(hit_matrix_read_all(run, 2, "geqrt, argument v", size_bytes, v));
    HIT_TRY(hit_matrix_fits(v, "geqrt, argument v", q->v.rows, q->v.rows));
    return hit_matrix_fits_width(&q->t, "geqrt, argument t", q->v.columns);
}

static hit_status read_tsqrt(const hit_run *run, size_t size_bytes, hit_reflectors *q,
                             hit_matrix *r)
{
    *q = (hit_reflectors){.run = run};
    HIT_TRY(hit_run_is_one(run, "tsqrt"));
    HIT_TRY(hit_matrix_read_all(run, 0, "tsqrt, argument a", size_bytes, &q->v));
    HIT_TRY(hit_matrix_read_all(run, 1, "tsqrt, argument r", size_bytes, r));
    HIT_TRY(hit_matrix_read_all(run, 2, "tsqrt, argument t", size_bytes, &q->t));
    HIT_TRY(hit_matrix_fits(r, "tsqrt, argument r", q->v.columns, q->v.columns));
    return hit_matrix_fits_width(&q->t, "tsqrt, argument t", q->v.columns);
}

static hit_status read_unmqr(const hit_run *run, size_t size_bytes, hit_reflectors *q,
                             hit_matrix *c)
{
    *q = (hit_reflectors){.square = true, .run = run};
    HIT_TRY(hit_matrix_read_columns(run, 0, "unmqr, argument c", size_bytes, c));
    HIT_TRY(hit_matrix_read_all(run, 1, "unmqr, argument v", size_bytes, &q->v));
    HIT_TRY(hit_matrix_read_all(run, 2, "unmqr, argument t", size_bytes, &q->t));
    HIT_TRY(hit_matrix_fits(&q->v, "unmqr, argument v", c->rows, c->rows));
    return hit_matrix_fits_width(&q->t, "unmqr, argument t", q->v.columns);
}

static hit_status read_tsmqr(const hit_run *run, size_t size_bytes, hit_reflectors *q,
                             hit_matrix c[2])
{
    *q = (hit_reflectors){.run = run};
    HIT_TRY(hit_matrix_read_columns(run, 0, "tsmqr, argument c", size_bytes, &c[1]));
    HIT_TRY(hit_matrix_read_columns(run, 1, "tsmqr, argument top", size_bytes, &c[0]));
    HIT_TRY(hit_matrix_read_all(run, 2, "tsmqr, argument v", size_bytes, &q->v));
    HIT_TRY(hit_matrix_read_all(run, 3, "tsmqr, argument t", size_bytes, &q->t));
    HIT_TRY(hit_matrix_fits(&q->v, "tsmqr, argument v", c[1].rows, c[0].rows));
    return hit_matrix_fits_width(&q->t, "tsmqr, argument t", q->v.columns);
}

/* the arguments of a kernel are a table */
/* clang-format off */
#define GEQRT(c_type)                                                                    \
    HIT_KERNEL_TABLE(geqrt_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type, a, "[:, :]"),                                                    \
        (out,   c_type, t, "[:, :]"),                                                    \
        (out,   c_type, v, "[:, :]"))                                                    \
    static hit_status geqrt_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_reflectors q;                                                                \
        hit_matrix v;                                                                    \
                                                                                         \
        HIT_TRY(read_geqrt(run, sizeof(c_type), &q, &v));                                \
        HIT_TRY(factor_##c_type(&q, &q.v));                                              \
        copy_unit_lower_##c_type(&q.v, &v);                                              \
        return HIT_OK;                                                                   \
    }

#define TSQRT(c_type)                                                                    \
    HIT_KERNEL_TABLE(tsqrt_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type, a, "[:, :]"),                                                    \
        (inout, c_type, r, "[:, :]"),                                                    \
        (out,   c_type, t, "[:, :]"))                                                    \
    static hit_status tsqrt_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_reflectors q;                                                                \
        hit_matrix r;                                                                    \
                                                                                         \
        HIT_TRY(read_tsqrt(run, sizeof(c_type), &q, &r));                                \
        return factor_##c_type(&q, &r);                                                  \
    }

#define UNMQR(c_type)                                                                    \
    HIT_BOX_PARTS_KERNEL(unmqr_##c_type, (j), hit_gemm_prepare,                          \
        (inout, c_type, c, "[:, j]"),                                                    \
        (in,    c_type, v, "[:, :]"),                                                    \
        (in,    c_type, t, "[:, :]"))                                                    \
    {                                                                                    \
        hit_reflectors q;                                                                \
        hit_matrix c;                                                                    \
                                                                                         \
        HIT_TRY(read_unmqr(run, sizeof(c_type), &q, &c));                                \
        return apply_##c_type(&q, &c, NULL);                                             \
    }

#define TSMQR(c_type)                                                                    \
    HIT_BOX_PARTS_KERNEL(tsmqr_##c_type, (j), hit_gemm_prepare,                          \
        (inout, c_type, c,   "[:, j]"),                                                  \
        (inout, c_type, top, "[:, j]"),                                                  \
        (in,    c_type, v,   "[:, :]"),                                                  \
        (in,    c_type, t,   "[:, :]"))                                                  \
    {                                                                                    \
        hit_reflectors q;                                                                \
        hit_matrix c[2];                                                                 \
                                                                                         \
        HIT_TRY(read_tsmqr(run, sizeof(c_type), &q, c));                                 \
        return apply_##c_type(&q, &c[0], &c[1]);                                         \
    }

GEQRT(float)
GEQRT(double)
TSQRT(float)
TSQRT(double)
UNMQR(float)
UNMQR(double)
TSMQR(float)
TSMQR(double)
/* clang-format on */
