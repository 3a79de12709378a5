/* SPDX-License-Identifier: MIT
 * The product of one process on 2 cores, cut into more and more pieces, beside StarPU's
 * on tiles and beside OpenBLAS on two threads; all multiply with the same kernels of one
 * OpenBLAS (product.h). Ours is cut in two ways: into launches that compute a block of C
 * each, on tiles in place, as StarPU's tasks do; and by the limit of a device with memory
 * of its own, where two more threads copy on the same two cores. usage: matmul-tasks [N]
 */
#include "hit/base/alloc.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/product.h"
#include "tests/bench/starpu_side.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    THREADS = 2,
    ROUNDS = 5,
    CUTS = 4,  /* 1, 2, 4, 8: blocks in each dimension of C */
    LIMITS = 3 /* 1/4, 1/16, 1/64 of the memory of all three */
};

/* The product by launches of cut x cut blocks of C. */
typedef struct blocks {
    product_tiles *tiles;
    int cut;
} blocks;

/* In the order in which they take turns. */
typedef struct variants {
    blocks blocks[CUTS];
    product_tiles limited[LIMITS];
    starpu_product starpu[CUTS];
    product_tiles in_place;
    product plain;
} variants;

enum {
    BLAS,
    FIRST_BLOCKS,
    FIRST_LIMITED = FIRST_BLOCKS + CUTS,
    FIRST_STARPU = FIRST_LIMITED + LIMITS,
    VARIANTS = FIRST_STARPU + CUTS
};

static double run_blocks(void *context)
{
    const blocks *b = context;
    const product_tiles *t = b->tiles;
    const hit_index n = t->of->n;
    const double start = bench_time();

    for (int i = 0; i < b->cut; i++) {
        for (int j = 0; j < b->cut; j++) {
            const hit_index begin[2] = {i * n / b->cut, j * n / b->cut};
            const hit_index end[2] = {(i + 1) * n / b->cut - 1, (j + 1) * n / b->cut - 1};

            HIT_MUST(hit_launch(t->hit, &gemm_double, hit_domain_box(2, begin, end),
                                t->tile[2], t->tile[0], t->tile[1], HIT_VALUE(1.0),
                                HIT_VALUE(0.0)));
        }
    }
    HIT_MUST(hit_wait(t->hit));
    return bench_time() - start;
}

static void set_up(variants *v, int n, bench_turn turn[])
{
    const double all_bytes = 3.0 * sizeof(double) * n * n;

    product_make(&v->plain, n, THREADS);
    turn[BLAS] = (bench_turn){product_blas, &v->plain};
    product_open(&v->in_place, &v->plain, "host:threads=2", 0);
    for (int k = 0; k < CUTS; k++) {
        v->blocks[k] = (blocks){&v->in_place, 1 << k};
        v->starpu[k] = (starpu_product){.of = &v->plain, .tiles = 2 << k};
        turn[FIRST_BLOCKS + k] = (bench_turn){run_blocks, &v->blocks[k]};
        turn[FIRST_STARPU + k] = (bench_turn){starpu_side_product, &v->starpu[k]};
    }
    for (int k = 0; k < LIMITS; k++) {
        product_open(&v->limited[k], &v->plain, "host:staged:threads=2",
                     (size_t)(all_bytes / (4 << 2 * k)));
        turn[FIRST_LIMITED + k] = (bench_turn){product_launch, &v->limited[k]};
    }
}

/* All variants of StarPU share one C. */
static double *starpu_set_up(variants *v)
{
    const size_t n = (size_t)v->plain.n;
    void *c = NULL;

    HIT_MUST(hit_memory_take(sizeof(double) * n * n, "C of StarPU", &c));
    for (int k = 0; k < CUTS; k++) {
        v->starpu[k].c = c;
    }
    return c;
}

/* What is there before must not pass for a result. */
static void spoil(variants *v, product_tiles *tiles)
{
    const double wrong = 1e30;

    if (tiles != NULL) {
        HIT_MUST(hit_tile_fill(tiles->tile[2], &wrong));
        return;
    }
    for (long i = 0; i < (long)v->plain.n * v->plain.n; i++) {
        v->starpu[0].c[i] = wrong;
    }
}

/* Once before anything is timed: are all of them right? */
static void check(variants *v, const bench_turn turn[], int count)
{
    (void)product_blas(&v->plain);
    for (int t = FIRST_BLOCKS; t < count; t++) {
        product_tiles *tiles = t < FIRST_LIMITED  ? &v->in_place
                               : t < FIRST_STARPU ? &v->limited[t - FIRST_LIMITED]
                                                  : NULL;

        spoil(v, tiles);
        (void)turn[t].run(turn[t].context);
        if (tiles != NULL) {
            product_compare(tiles, "matmul-tasks");
        } else {
            product_compare_plain(&v->plain, v->starpu[0].c, "StarPU");
        }
    }
}

/* The variant of the best median, from @p first on; the worst for @p worst. */
static int best_of(double seconds[][BENCH_ROUNDS], int first, int count, bool worst)
{
    int best = first;

    for (int k = first + 1; k < first + count; k++) {
        const double own = bench_median(seconds[k], ROUNDS);
        const double kept = bench_median(seconds[best], ROUNDS);

        if (worst ? own > kept : own < kept) best = k;
    }
    return best;
}

static void print_rates(variants *v, double seconds[][BENCH_ROUNDS], bool beside)
{
    const double flops = 2e-9 * v->plain.n * v->plain.n * v->plain.n;
    char title[64];

    bench_rates("matmul-tasks-openblas", seconds[BLAS], ROUNDS, flops, "GFLOP/s");
    for (int k = 0; k < CUTS; k++) {
        snprintf(title, sizeof(title), "matmul-tasks-%dx%d", 1 << k, 1 << k);
        bench_rates(title, seconds[FIRST_BLOCKS + k], ROUNDS, flops, "GFLOP/s");
    }
    for (int k = 0; k < LIMITS; k++) {
        hit_stats stats;

        hit_context_stats(v->limited[k].hit, &stats);
        snprintf(title, sizeof(title), "matmul-tasks-memory-1/%d", 4 << 2 * k);
        bench_rates(title, seconds[FIRST_LIMITED + k], ROUNDS, flops, "GFLOP/s");
        snprintf(title, sizeof(title), "matmul-tasks-memory-1/%d-pieces", 4 << 2 * k);
        bench_figure(title, (double)stats.superblocks / (double)stats.launches,
                     "superblocks");
    }
    for (int k = 0; beside && k < CUTS; k++) {
        snprintf(title, sizeof(title), "matmul-tasks-starpu-%dx%d", 2 << k, 2 << k);
        bench_rates(title, seconds[FIRST_STARPU + k], ROUNDS, flops, "GFLOP/s");
    }
}

static void print_ratios(double seconds[][BENCH_ROUNDS], bool beside)
{
    const double *ours = seconds[best_of(seconds, FIRST_BLOCKS, CUTS, false)];
    const double *worst = seconds[best_of(seconds, FIRST_BLOCKS, CUTS, true)];
    const double *limited = seconds[best_of(seconds, FIRST_LIMITED, LIMITS, true)];

    bench_ratio("matmul-tasks-beside-openblas", ours, seconds[BLAS], ROUNDS);
    bench_ratio("matmul-tasks-worst-of-blocks", worst, ours, ROUNDS);
    bench_ratio("matmul-tasks-worst-of-memory", limited, ours, ROUNDS);
    if (!beside) return;
    bench_ratio("matmul-tasks-beside-starpu", ours,
                seconds[best_of(seconds, FIRST_STARPU, CUTS, false)], ROUNDS);
    bench_ratio("matmul-tasks-starpu-worst-of-tiles",
                seconds[best_of(seconds, FIRST_STARPU, CUTS, true)],
                seconds[best_of(seconds, FIRST_STARPU, CUTS, false)], ROUNDS);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;
    bench_turn turn[VARIANTS];
    double seconds[VARIANTS][BENCH_ROUNDS];
    variants v = {0};
    void *c;
    bool beside;
    int count;

    HIT_MUST(hit_open(&argc, &argv, &base));
    set_up(&v, argc > 1 ? atoi(argv[1]) : 4096, turn);
    c = starpu_set_up(&v);
    beside = starpu_side_open("matmul-tasks", THREADS);
    count = beside ? VARIANTS : FIRST_STARPU;
    check(&v, turn, count);
    bench_turns(turn, count, ROUNDS, seconds);
    print_rates(&v, seconds, beside);
    print_ratios(seconds, beside);
    if (beside) starpu_side_close();
    hit_memory_release(&c);
    for (int k = 0; k < LIMITS; k++) {
        product_close(&v.limited[k]);
    }
    product_close(&v.in_place);
    product_free(&v.plain);
    hit_close(&base);
    return 0;
}
