/* SPDX-License-Identifier: MIT
 * A = L L' for a symmetric, positive definite A, block by block, and the solution of
 * A x = b: the tile algorithm of A. Buttari, J. Langou, J. Kurzak, J. Dongarra, "A class
 * of parallel tiled linear algebra algorithms for multicore architectures", Parallel
 * Computing 35 (2009). Blocks are selections of one tile. Which process computes a block,
 * and which blocks it needs from others, follows from layouts and patterns. */
#include "examples/cholesky.h"

#include "hit/hit.h"
#include "hit/run/simulate.h"
#include "kernels/kernels.h"

#include <stdio.h>

/** Block (i, j) of A, i >= j, is a[i * t + j]; block i of b is b[i]. */
typedef struct blocks {
    hit_index t;
    hit_tile **a;
    hit_tile **b;
} blocks;

static hit_domain along(const hit_tile *tile, int dim)
{
    return (hit_domain){.dims = 1, .sig = {hit_tile_domain(tile).sig[dim]}};
}

/** Block (i, j) loses the product of blocks (i, k) and (j, k). */
static void update(const example *e, const blocks *of, const hit_kernel *kernel,
                   hit_index k, hit_index i, hit_index j)
{
    const hit_index t = of->t;
    hit_tile **a = of->a;

    HIT_MUST(hit_launch(e->hit, kernel, hit_tile_domain(a[i * t + j]), a[i * t + j],
                        a[i * t + k], a[j * t + k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
}

/** L takes the place of the lower triangle of A. */
static void factor(const example *e, const blocks *of)
{
    const hit_index t = of->t;
    hit_tile **a = of->a;

    for (hit_index k = 0; k < t; k++) {
        hit_tile *diagonal = a[k * t + k];

        HIT_MUST(hit_launch(e->hit, &potrf_double, hit_domain_of(1), diagonal));
        for (hit_index i = k + 1; i < t; i++) {
            hit_tile *block = a[i * t + k];

            HIT_MUST(
                hit_launch(e->hit, &trsm_rlt_double, along(block, 0), block, diagonal));
        }
        for (hit_index i = k + 1; i < t; i++) {
            update(e, of, &syrk_double, k, i, i);
            for (hit_index j = k + 1; j < i; j++) {
                update(e, of, &gemm_nt_double, k, i, j);
            }
        }
        example_progress(e, k + 1, t);
    }
}

/** L y = b, then L' x = y; x takes the place of b. */
static void solve(hit_context *hit, const blocks *of)
{
    const hit_index t = of->t;
    hit_tile **a = of->a;
    hit_tile **b = of->b;

    for (hit_index k = 0; k < t; k++) {
        HIT_MUST(hit_launch(hit, &trsm_lln_double, along(b[k], 1), b[k], a[k * t + k]));
        for (hit_index i = k + 1; i < t; i++) {
            HIT_MUST(hit_launch(hit, &gemm_double, hit_tile_domain(b[i]), b[i],
                                a[i * t + k], b[k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
        }
    }
    for (hit_index k = t - 1; k >= 0; k--) {
        HIT_MUST(hit_launch(hit, &trsm_llt_double, along(b[k], 1), b[k], a[k * t + k]));
        for (hit_index i = 0; i < k; i++) {
            HIT_MUST(hit_launch(hit, &gemm_tn_double, hit_tile_domain(b[i]), b[i],
                                a[k * t + i], b[k], HIT_VALUE(-1.0), HIT_VALUE(1.0)));
        }
    }
}

/** Factor, and solve if @p solves; the seconds of the solution. */
static double run(example *e, const blocks *of, bool solves)
{
    hit_stats sum;
    double factor_s;
    double solve_s = 0;

    example_start(e);
    factor(e, of);
    example_stop(e);
    factor_s = e->time_s;
    HIT_MUST(hit_context_stats_all(e->hit, &sum));
    e->moved_bytes = sum.bytes_in + sum.bytes_out;
    if (solves) {
        example_start(e);
        solve(e->hit, of);
        example_stop(e);
        solve_s = e->time_s;
    }
    e->time_s = factor_s;
    return solve_s;
}

int main(int argc, char **argv)
{
    hit_index width = 256;
    bool solves = false;
    const char *scheduler = NULL;
    char layout_text[64];
    example e = {.name = "cholesky",
                 .what = "A = L L', distributed, block by block",
                 .dims = 1,
                 .size = {1000},
                 .steps = 1,
                 .seed = 1,
                 .layout = "",
                 .bound = 30};
    const example_option extra[] = {
        {"--tile", "N     rows and columns of a block", EXAMPLE_COUNT, &width},
        {"--solve", "      solve A x = b with the factor", EXAMPLE_FLAG, &solves},
        {"--scheduler",
         "S  that places tasks on a simulated machine: heft, mct:beta=2, ...",
         EXAMPLE_TEXT, &scheduler},
        {"--seed", "N     of the random numbers", EXAMPLE_COUNT, &e.seed},
        {NULL, NULL, EXAMPLE_FLAG, NULL}};
    hit_layout *layout[2];
    hit_tile *a;
    hit_tile *b;
    blocks of;
    double n;
    double solve_s;

    example_read(&e, argc, argv, extra);
    (void)snprintf(layout_text, sizeof(layout_text), "blockcyclic:block=%d", (int)width);
    if (e.layout[0] == '\0') e.layout = layout_text;
    n = (double)e.size[0];
    example_open(&e, &argc, &argv, sizeof(double) * n * n);
    if (scheduler != NULL) HIT_MUST(hit_schedule(e.hit, scheduler));
    layout[0] = example_layout(&e, hit_domain_of(e.size[0], e.size[0]), NULL);
    layout[1] = example_layout(&e, hit_domain_of(e.size[0], 1), NULL);
    HIT_MUST(hit_tile_create(layout[0], HIT_DOUBLE, "A", &a));
    HIT_MUST(hit_tile_create(layout[1], HIT_DOUBLE, "b", &b));
    cholesky_set(&e, a, b);
    of.t = (e.size[0] + width - 1) / width;
    of.a = example_blocks(a, width);
    of.b = example_blocks(b, width);

    solve_s = run(&e, &of, solves);
    e.cells = n * n;
    e.operations = n * n * n / 3 + n * n / 2 + n / 6;
    e.tasks = cholesky_tasks(&e, of.t, solve_s);
    cholesky_check(&e, a, solves ? b : NULL);
    cholesky_bounds(&e, a, b, of.t, of.a);
    example_blocks_destroy(&of.a);
    example_blocks_destroy(&of.b);
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_layout_destroy(&layout[1]);
    return example_end(&e, &layout[0]);
}
