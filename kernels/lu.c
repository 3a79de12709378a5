/* SPDX-License-Identifier: MIT
 * LU of one block, A = L U without pivoting, and by tiles with incremental pivoting: a
 * row changes places with rows of its own block, then with those of one block below after
 * another (E. Quintana-Orti, R. van de Geijn, "Updating an LU factorization with
 * pivoting", ACM TOMS 35, 2008; Buttari et al., Parallel Computing 35, 2009). All run on
 * the host. Blocks are row-major; products do most of the work, so that there is one
 * source for builds with and without BLAS. What follows a panel is cut over the threads
 * of the device. */
#include "hit/kernel.h"
#include "kernels/kernels_impl.h"

enum {
    BLOCK = 32 /* columns that are eliminated by plain loops */
};

/** What is left of a block whose columns were eliminated by a triangle above it. */
typedef struct hit_pair {
    hit_matrix m; /* the multipliers of its rows */
    hit_matrix l; /* for each part of the columns, those of rows that went up */
    int32_t
        *pivot; /* of each row of the triangle: itself, or columns + row of the block */
    const hit_run *run;
} hit_pair;

/* The columns that are eliminated before those behind them follow. */
static int pair_width(const hit_pair *p, int from)
{
    const int left = p->m.columns - from;

    return left < p->l.rows ? left : p->l.rows;
}

#define REAL float
#define TYPED(name) name##_float
#include "kernels/lu_loops.h"

#define REAL double
#define TYPED(name) name##_double
#include "kernels/lu_loops.h"

static hit_status tell_getrf(const hit_run *run, int order)
{
    const hit_sig rows = hit_sig_of_slot(run, 0, 0);

    if (order == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "getrf: expected pivots that are not 0, but found one in row %d of "
                    "the block (index %lld)",
                    order, (long long)(rows.begin + (order - 1) * rows.stride));
}

/* Argument @p arg: one row of @p count indices. */
static hit_status read_pivots(const hit_run *run, int arg, const char *name, int count,
                              int32_t **pivot)
{
    hit_matrix found;

    HIT_TRY(hit_matrix_read_all(run, arg, name, sizeof(**pivot), &found));
    HIT_TRY(hit_matrix_fits(&found, name, 1, count));
    *pivot = found.data;
    return HIT_OK;
}

/* A row stays, or changes places with one of first..last. */
static hit_status check_pivots(const int32_t pivot[], const char *name, int count,
                               int first, int last)
{
    for (int i = 0; i < count; i++) {
        const bool inside = pivot[i] >= first && pivot[i] >= i && pivot[i] <= last;

        if (pivot[i] == i || inside) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected for row %d itself or a later one up to %d but "
                        "found %d",
                        name, i, last, (int)pivot[i]);
    }
    return HIT_OK;
}

static hit_status read_gessm(const hit_run *run, size_t size_bytes, hit_matrix *c,
                             hit_matrix *l, int32_t **pivot)
{
    HIT_TRY(hit_matrix_read_columns(run, 0, "gessm, argument c", size_bytes, c));
    HIT_TRY(hit_matrix_read_all(run, 1, "gessm, argument l", size_bytes, l));
    HIT_TRY(hit_matrix_fits(l, "gessm, argument l", c->rows, c->rows));
    HIT_TRY(read_pivots(run, 2, "gessm, argument p", c->rows, pivot));
    return check_pivots(*pivot, "gessm, argument p", c->rows, 0, c->rows - 1);
}

static hit_status read_tstrf(const hit_run *run, size_t size_bytes, hit_pair *p,
                             hit_matrix *u)
{
    *p = (hit_pair){.run = run};
    HIT_TRY(hit_run_is_one(run, "tstrf"));
    HIT_TRY(hit_matrix_read_all(run, 0, "tstrf, argument a", size_bytes, &p->m));
    HIT_TRY(hit_matrix_read_all(run, 1, "tstrf, argument u", size_bytes, u));
    HIT_TRY(hit_matrix_read_all(run, 2, "tstrf, argument l", size_bytes, &p->l));
    HIT_TRY(hit_matrix_fits(u, "tstrf, argument u", p->m.columns, p->m.columns));
    HIT_TRY(hit_matrix_fits_width(&p->l, "tstrf, argument l", p->m.columns));
    return read_pivots(run, 3, "tstrf, argument p", p->m.columns, &p->pivot);
}

/* c[0] is the block on the row of the triangle, c[1] the one below. */
static hit_status read_ssssm(const hit_run *run, size_t size_bytes, hit_pair *p,
                             hit_matrix c[2])
{
    *p = (hit_pair){.run = run};
    HIT_TRY(hit_matrix_read_columns(run, 0, "ssssm, argument c", size_bytes, &c[1]));
    HIT_TRY(hit_matrix_read_columns(run, 1, "ssssm, argument top", size_bytes, &c[0]));
    HIT_TRY(hit_matrix_read_all(run, 2, "ssssm, argument m", size_bytes, &p->m));
    HIT_TRY(hit_matrix_read_all(run, 3, "ssssm, argument l", size_bytes, &p->l));
    HIT_TRY(hit_matrix_fits(&p->m, "ssssm, argument m", c[1].rows, c[0].rows));
    HIT_TRY(hit_matrix_fits_width(&p->l, "ssssm, argument l", p->m.columns));
    HIT_TRY(read_pivots(run, 4, "ssssm, argument p", c[0].rows, &p->pivot));
    return check_pivots(p->pivot, "ssssm, argument p", c[0].rows, c[0].rows,
                        c[0].rows + c[1].rows - 1);
}

/* the arguments of a kernel are a table */
/* clang-format off */
#define GETRF(c_type)                                                                    \
    HIT_KERNEL_TABLE(getrf_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type, a, "[:, :]"))                                                    \
    static hit_status getrf_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_matrix a;                                                                    \
        int order;                                                                       \
                                                                                         \
        HIT_TRY(hit_matrix_read_square(run, "getrf", "getrf", sizeof(c_type), &a));      \
        HIT_TRY(factor_##c_type(&a, run, NULL, &order));                                 \
        return tell_getrf(run, order);                                                   \
    }

#define GETRF_INC(c_type)                                                                \
    HIT_KERNEL_TABLE(getrf_inc_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,        \
        (inout, c_type,  a, "[:, :]"),                                                   \
        (out,   int32_t, p, "[:, :]"),                                                   \
        (out,   c_type,  l, "[:, :]"))                                                   \
    static hit_status getrf_inc_##c_type##_host(const hit_run *run)                      \
    {                                                                                    \
        hit_matrix a;                                                                    \
        hit_matrix l;                                                                    \
        int32_t *pivot;                                                                  \
        int none;                                                                        \
                                                                                         \
        HIT_TRY(hit_matrix_read_square(run, "getrf_inc", "getrf_inc", sizeof(c_type),    \
                                       &a));                                             \
        HIT_TRY(read_pivots(run, 1, "getrf_inc, argument p", a.rows, &pivot));           \
        HIT_TRY(hit_matrix_read_all(run, 2, "getrf_inc, argument l", sizeof(c_type),     \
                                    &l));                                                \
        HIT_TRY(hit_matrix_fits(&l, "getrf_inc, argument l", a.rows, a.rows));           \
        HIT_TRY(factor_##c_type(&a, run, pivot, &none));                                 \
        copy_unit_lower_##c_type(&a, &l);                                                \
        return HIT_OK;                                                                   \
    }

#define GESSM(c_type)                                                                    \
    HIT_BOX_PARTS_KERNEL(gessm_##c_type, (j), hit_gemm_prepare,                          \
        (inout, c_type,  c, "[:, j]"),                                                   \
        (in,    c_type,  l, "[:, :]"),                                                   \
        (in,    int32_t, p, "[:, :]"))                                                   \
    {                                                                                    \
        hit_matrix c;                                                                    \
        hit_matrix l;                                                                    \
        int32_t *pivot;                                                                  \
                                                                                         \
        HIT_TRY(read_gessm(run, sizeof(c_type), &c, &l, &pivot));                        \
        return follow_##c_type(&l, pivot, &c, run->prepared);                            \
    }

#define TSTRF(c_type)                                                                    \
    HIT_KERNEL_TABLE(tstrf_##c_type, (k), 1, hit_gemm_prepare, 0, NULL, NULL,            \
        (inout, c_type,  a, "[:, :]"),                                                   \
        (inout, c_type,  u, "[:, :]"),                                                   \
        (out,   c_type,  l, "[:, :]"),                                                   \
        (out,   int32_t, p, "[:, :]"))                                                   \
    static hit_status tstrf_##c_type##_host(const hit_run *run)                          \
    {                                                                                    \
        hit_pair pair;                                                                   \
        hit_matrix u;                                                                    \
                                                                                         \
        HIT_TRY(read_tstrf(run, sizeof(c_type), &pair, &u));                             \
        return pair_factor_##c_type(&pair, &u);                                          \
    }

#define SSSSM(c_type)                                                                    \
    HIT_BOX_PARTS_KERNEL(ssssm_##c_type, (j), hit_gemm_prepare,                          \
        (inout, c_type,  c,   "[:, j]"),                                                 \
        (inout, c_type,  top, "[:, j]"),                                                 \
        (in,    c_type,  m,   "[:, :]"),                                                 \
        (in,    c_type,  l,   "[:, :]"),                                                 \
        (in,    int32_t, p,   "[:, :]"))                                                 \
    {                                                                                    \
        hit_pair pair;                                                                   \
        hit_matrix c[2];                                                                 \
                                                                                         \
        HIT_TRY(read_ssssm(run, sizeof(c_type), &pair, c));                              \
        return pair_apply_##c_type(&pair, &c[0], &c[1]);                                 \
    }

GETRF(float)
GETRF(double)
GETRF_INC(float)
GETRF_INC(double)
GESSM(float)
GESSM(double)
TSTRF(float)
TSTRF(double)
SSSSM(float)
SSSSM(double)
/* clang-format on */
