/* SPDX-License-Identifier: MIT
 * Products that do not fit the memory of a device, against cblas_dgemm on matrices in
 * place: one thread multiplies in both; the staged host copies with threads of its own.
 * Also how many bytes are moved, over the least that any order of the N^3 products can do
 * with: 2 N^3 / sqrt(S) - 2 S elements come in for S elements of memory (T. Smith, B.
 * Lowery, J. Langou, R. van de Geijn, "A tight I/O lower bound for matrix
 * multiplication", 2019, which counts reads), but at least A, B and C once, and C goes
 * out once. The schedule of that paper keeps a block of C of nearly S elements, and moves
 * 2 N^3 / sqrt(S) + 2 N^2 elements with C in and out: more than the bound while N /
 * sqrt(S) is small. No cut of C into blocks of one size gets there, since it cuts into
 * whole numbers: the best one, with panels of A and B as thin as one likes, comes beside
 * it. usage: gemm-staged [N] */
#include "tests/bench/bench.h"
#include "tests/bench/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 7,
    LIMITS = 3
};

static const int part[LIMITS] = {4, 16, 64};

static double least_bytes(double n, double memory_bytes)
{
    const double elements = memory_bytes / sizeof(double);
    const double bound = 2 * n * n * n / sqrt(elements) - 2 * elements;
    const double once = 3 * n * n;

    return sizeof(double) * ((bound > once ? bound : once) + n * n);
}

/* The schedule of the bound's paper, with a block of C of all the memory. */
static double paper_bytes(double n, double memory_bytes)
{
    const double elements = memory_bytes / sizeof(double);

    return sizeof(double) * (2 * n * n * n / sqrt(elements) + 2 * n * n);
}

/* C as p x q blocks that fit: A comes q times, B p times, C once, and leaves once. */
static double best_grid_bytes(double n, double memory_bytes)
{
    const double elements = memory_bytes / sizeof(double);
    double best = INFINITY;

    for (int p = 1; p <= 64; p++) {
        for (int q = p; q <= 64; q++) {
            if (n * n / p / q <= elements) best = fmin(best, (p + q + 2) * n * n);
        }
    }
    return sizeof(double) * best;
}

static void print_bytes(product_tiles *t, int limit, double limit_bytes)
{
    hit_stats before;
    hit_stats after;
    double moved;
    char title[64];

    hit_context_stats(t->hit, &before);
    (void)product_launch(t);
    hit_context_stats(t->hit, &after);
    moved =
        (double)(after.bytes_in + after.bytes_out - before.bytes_in - before.bytes_out);
    snprintf(title, sizeof(title), "gemm-staged-1/%d-bytes", part[limit]);
    bench_figure(title, moved / least_bytes(t->of->n, limit_bytes), "of the bound");
    bench_figure(title, moved / paper_bytes(t->of->n, limit_bytes), "of its schedule");
    bench_figure(title, moved / best_grid_bytes(t->of->n, limit_bytes),
                 "of the best grid");
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 4096;
    const double all_bytes = 3.0 * sizeof(double) * n * n;
    hit_context *base = NULL;
    product p;
    product_tiles tiles[LIMITS];
    bench_turn turn[LIMITS + 1] = {[LIMITS] = {product_blas, &p}};
    double seconds[LIMITS + 1][BENCH_ROUNDS];

    HIT_MUST(hit_open(&argc, &argv, &base));
    product_make(&p, n, 1);
    for (int k = 0; k < LIMITS; k++) {
        product_open(&tiles[k], &p, "host:staged:threads=1",
                     (size_t)(all_bytes / part[k]));
        print_bytes(&tiles[k], k, all_bytes / part[k]);
        turn[k] = (bench_turn){product_launch, &tiles[k]};
    }
    bench_turns(turn, LIMITS + 1, ROUNDS, seconds);
    for (int k = 0; k < LIMITS; k++) {
        char title[64];

        snprintf(title, sizeof(title), "gemm-staged-1/%d", part[k]);
        product_compare(&tiles[k], title);
        bench_ratio(title, seconds[k], seconds[LIMITS], ROUNDS);
        product_close(&tiles[k]);
    }
    product_free(&p);
    hit_close(&base);
    return 0;
}
