/* SPDX-License-Identifier: MIT
 * A = Q R, block by block, and the solution of A x = b: the tile algorithm with a flat
 * tree of A. Buttari, J. Langou, J. Kurzak, J. Dongarra, "Parallel tiled QR factorization
 * for multicore architectures", Concurrency and Computation 20 (2008). Each block of a
 * column is eliminated by the triangle on the diagonal, one after another; Q is kept as
 * the reflectors that did it. */
#include "hit/hit.h"
#include "kernels/kernels.h"

#include "examples/factor.h"

typedef struct qr {
    factor f;
    hit_index inner; /* --inner */
    hit_tile *t;     /* what the reflectors in A are gathered by */
    hit_tile **of_t;
    hit_tile *v; /* the reflectors of diagonal blocks, which tsqrt does not touch */
    hit_tile **of_v;
} qr;

static double element(const example *e, hit_index i, hit_index j)
{
    return example_random(e->seed, i, j);
}

/* What was done to the diagonal block (k, k) is done to block @p c of its row. */
static void follow_row(const qr *of, hit_index k, hit_tile *c)
{
    const hit_index at = k * of->f.t + k;

    HIT_MUST(hit_launch(of->f.e.hit, &unmqr_double, factor_along(c, 1), c, of->of_v[k],
                        of->of_t[at]));
}

/* What was done to block (m, k) is done to block @p c of its row and that of row k. */
static void follow_pair(const qr *of, hit_index m, hit_index k, hit_tile *c,
                        hit_tile *top)
{
    const hit_index at = m * of->f.t + k;

    HIT_MUST(hit_launch(of->f.e.hit, &tsmqr_double, factor_along(c, 1), c, top,
                        of->f.of_a[at], of->of_t[at]));
}

static void factorise(void *what)
{
    const qr *of = what;
    const hit_index t = of->f.t;
    hit_context *hit = of->f.e.hit;
    hit_tile **a = of->f.of_a;

    for (hit_index k = 0; k < t; k++) {
        const hit_index diagonal = k * t + k;

        HIT_MUST(hit_launch(hit, &geqrt_double, hit_domain_of(1), a[diagonal],
                            of->of_t[diagonal], of->of_v[k]));
        for (hit_index n = k + 1; n < t; n++) {
            follow_row(of, k, a[k * t + n]);
        }
        for (hit_index m = k + 1; m < t; m++) {
            const hit_index at = m * t + k;

            HIT_MUST(hit_launch(hit, &tsqrt_double, hit_domain_of(1), a[at], a[diagonal],
                                of->of_t[at]));
            for (hit_index n = k + 1; n < t; n++) {
                follow_pair(of, m, k, a[m * t + n], a[k * t + n]);
            }
        }
        example_progress(&of->f.e, k + 1, t);
    }
}

/* C = Q' C, where C has @p columns blocks in a row. */
static void apply(const qr *of, hit_tile **c, hit_index columns)
{
    const hit_index t = of->f.t;

    for (hit_index k = 0; k < t; k++) {
        for (hit_index n = 0; n < columns; n++) {
            follow_row(of, k, c[k * columns + n]);
        }
        for (hit_index m = k + 1; m < t; m++) {
            for (hit_index n = 0; n < columns; n++) {
                follow_pair(of, m, k, c[m * columns + n], c[k * columns + n]);
            }
        }
    }
}

/* R x = Q' b */
static void solve(void *what)
{
    qr *of = what;

    apply(of, of->f.of_b, 1);
    factor_backward(&of->f, &trsm_lun_double, false);
}

static void report(factor *f, double solve_s)
{
    const hit_index t = f->t;
    const hit_index pairs = t * (t - 1) / 2;

    factor_report(
        f,
        (const factor_tasks[]){{"geqrt", t},
                               {"unmqr", pairs},
                               {"tsqrt", pairs},
                               {"tsmqr", pairs * (2 * t - 1) / 3},
                               {NULL, 0}},
        solve_s,
        (const factor_tasks[]){
            {"unmqr", t}, {"tsmqr", pairs}, {"trsm", t}, {"gemm", pairs}, {NULL, 0}});
}

static void check(qr *of)
{
    factor *f = &of->f;
    hit_tile *q = factor_identity(f); /* becomes Q' */
    hit_tile **blocks = example_blocks(q, f->width, f->width);
    hit_tile *a = factor_matrix(f);

    apply(of, blocks, f->t);
    example_blocks_destroy(&blocks);
    factor_check_product(f, "residual R - Q'A", &gemm_double,
                         (hit_tile *[]){factor_triangle(f, FACTOR_UPPER), q, a}, true);
    factor_check_product(f, "residual I - Q'Q", &gemm_nt_double,
                         (hit_tile *[]){factor_identity(f), q, q}, false);
    hit_tile_destroy(&q);
    hit_tile_destroy(&a);
    if (f->solves) factor_check_solution(f);
}

int main(int argc, char **argv)
{
    qr of = {.f = {.e = {.name = "qr",
                         .what = "A = Q R, distributed, block by block",
                         .dims = 1,
                         .size = {1000},
                         .steps = 1,
                         .seed = 1,
                         .layout = "",
                         .bound = 30},
                   .element = element,
                   .width = 256},
             .inner = 32};
    const example_option extra[] = {
        FACTOR_OPTIONS(&of.f),
        {"--inner", "N     reflectors that are gathered at a time, at most 64",
         EXAMPLE_COUNT, &of.inner},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    factor *f = &of.f;
    double n;

    example_read(&f->e, argc, argv, extra);
    n = (double)f->e.size[0];
    f->e.operations = 4 * n * n * n / 3 + 2 * n * n + 14 * n / 3;
    factor_open(f, &argc, &argv);
    of.of_t = factor_beside(f, of.inner, HIT_DOUBLE, &of.t);
    of.of_v = factor_diagonal(f, &of.v);
    report(f, factor_run(f, factorise, solve, &of));
    if (f->e.check) check(&of);
    example_blocks_destroy(&of.of_t);
    hit_tile_destroy(&of.t);
    example_blocks_destroy(&of.of_v);
    hit_tile_destroy(&of.v);
    return factor_end(f);
}
