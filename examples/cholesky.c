/* SPDX-License-Identifier: MIT
 * A = L L' for a symmetric, positive definite A, block by block, and the solution of
 * A x = b: the tile algorithm of A. Buttari, J. Langou, J. Kurzak, J. Dongarra, "A class
 * of parallel tiled linear algebra algorithms for multicore architectures", Parallel
 * Computing 35 (2009). Blocks are selections of one tile. Which process computes a block,
 * and which blocks it needs from others, follows from layouts and patterns. */
#include "examples/cholesky.h"

#include "hit/checkpoint/checkpoint.h"
#include "hit/hit.h"
#include "kernels/kernels.h"

/** What is on the diagonal outweighs the rest of its row. */
static double element(const example *e, hit_index i, hit_index j)
{
    const double diagonal = i == j ? (double)e->size[0] : 0;

    return diagonal + example_random(e->seed, i > j ? i : j, i > j ? j : i);
}

/** Block (i, j) loses the product of blocks (i, k) and (j, k). */
static void update(factor *f, const hit_kernel *kernel, hit_index k, hit_index i,
                   hit_index j)
{
    const hit_index t = f->t;
    hit_tile **a = f->of_a;

    HIT_MUST(hit_launch(f->e.hit, kernel, hit_tile_domain(a[i * t + j]), a[i * t + j],
                        a[i * t + k], a[j * t + k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
}

/** potrf of a diagonal block; on some devices only, if it is asked for. */
static void panel(factor *f, hit_tile *diagonal)
{
    hit_context *hit = f->e.hit;

    if (f->panels != NULL) {
        HIT_MUST(hit_launch(hit, &potrf_double, hit_domain_of(1), diagonal,
                            HIT_ON(f->panels)));
    } else {
        HIT_MUST(hit_launch(hit, &potrf_double, hit_domain_of(1), diagonal));
    }
}

/** Of floating point, where the last @p n rows and columns are left. */
static double operations(hit_index rows)
{
    const double n = (double)rows;

    return n * n * n / 3 + n * n / 2 + n / 6;
}

/** L takes the place of the lower triangle of A. */
static void factorise(void *what)
{
    factor *f = what;
    const hit_index t = f->t;
    hit_context *hit = f->e.hit;
    hit_tile **a = f->of_a;
    hit_index first = t;
    hit_index k;

    HIT_MUST(hit_checkpoint_tile(hit, "A", &f->a));
    HIT_MUST(hit_checkpoint_value(hit, "k", HIT_INT64, &k));
    for (k = 0; k < t; k++) {
        hit_tile *diagonal;

        HIT_MUST(hit_checkpoint_step(hit));
        if (k < first) first = k;
        diagonal = a[k * t + k];
        panel(f, diagonal);
        for (hit_index i = k + 1; i < t; i++) {
            hit_tile *block = a[i * t + k];

            HIT_MUST(hit_launch(hit, &trsm_rlt_double, factor_along(block, 0), block,
                                diagonal));
        }
        for (hit_index i = k + 1; i < t; i++) {
            update(f, &syrk_double, k, i, i);
            for (hit_index j = k + 1; j < i; j++) {
                update(f, &gemm_nt_double, k, i, j);
            }
        }
        example_progress(&f->e, k + 1, t);
    }
    f->e.operations = operations(f->e.size[0] - first * f->width);
}

/** L y = b, then L' x = y; x takes the place of b. */
static void solve(void *what)
{
    factor_forward(what, &trsm_lln_double);
    factor_backward(what, &trsm_llt_double, true);
}

static void report(factor *f, double solve_s)
{
    const hit_index t = f->t;
    const hit_index pairs = t * (t - 1) / 2;

    factor_report(f,
                  (const factor_tasks[]){{"potrf", t},
                                         {"trsm", pairs},
                                         {"syrk", pairs},
                                         {"gemm_nt", pairs * (t - 2) / 3},
                                         {NULL, 0}},
                  solve_s,
                  (const factor_tasks[]){
                      {"trsm", 2 * t}, {"gemm", pairs}, {"gemm_tn", pairs}, {NULL, 0}});
}

static void check(factor *f)
{
    hit_tile *l;

    if (!f->e.check) return;
    l = factor_triangle(f, FACTOR_LOWER);
    factor_check_product(f, "residual A - LL'", &gemm_nt_double,
                         (hit_tile *[]){factor_matrix(f), l, l}, true);
    hit_tile_destroy(&l);
    if (f->solves) factor_check_solution(f);
}

int main(int argc, char **argv)
{
    factor f = {.e = {.name = "cholesky",
                      .what = "A = L L', distributed, block by block",
                      .dims = 1,
                      .size = {1000},
                      .steps = 1,
                      .seed = 1,
                      .layout = "",
                      .bound = 30},
                .element = element,
                .width = 256};
    const example_option extra[] = {
        FACTOR_OPTIONS(&f),
        {"--panels", "ON where diagonal blocks are factored: host, gpu:0, ...",
         EXAMPLE_TEXT, &f.panels},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};

    example_read(&f.e, argc, argv, extra);
    f.e.operations = operations(f.e.size[0]);
    factor_open(&f, &argc, &argv);
    report(&f, factor_run(&f, factorise, solve, &f));
    check(&f);
    cholesky_bounds(&f);
    return factor_end(&f);
}
