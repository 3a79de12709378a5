/* SPDX-License-Identifier: MIT
 * The Cholesky factor, block by block, on two staged devices of one process, each with a
 * third of the matrix: tasks that a scheduler places, beside launches that are cut over
 * both one after the other, as without a scheduler; and beside tasks on two threads in
 * place, which copy nothing.
 * usage: cholesky-devices [N [WIDTH]] */
#include "hit/hit.h"
#include "hit/scheduled/schedule.h"
#include "tests/bench/bench.h"
#include "tests/bench/blocks.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 5,
    VARIANTS = 6
};

static const char *const names[VARIANTS] = {"cut",  "in-place", "mct",
                                            "heft", "dada",     "home"};

static double run(void *context)
{
    const bench_blocks *b = context;
    hit_view view;
    double start;

    HIT_MUST(hit_tile_map(b->tile, 0, HIT_WRITE, &view));
    for (long i = 0; i < b->n; i++) {
        for (long j = 0; j < b->n; j++) {
            HIT_AT(view, double, i, j) = bench_matrix_element(b->n, i, j);
        }
    }
    start = bench_time();
    bench_blocks_factor(b);
    HIT_MUST(hit_wait(b->hit));
    return bench_time() - start;
}

static void open_variant(bench_blocks *b, int k, int n, int width)
{
    const double bytes = 8.0 * n * n / 3;
    char devices[64] = "host:threads=2";

    *b = (bench_blocks){.n = n, .width = width};
    if (k != 1) {
        (void)snprintf(devices, sizeof(devices), "host:threads=1:memory=%.0fB * 2",
                       bytes);
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &b->hit));
    if (k > 1) HIT_MUST(hit_schedule(b->hit, names[k]));
    b->tile = bench_matrix_tile(b->hit, n);
    bench_blocks_select(b);
}

static void print(int n, double seconds[][BENCH_ROUNDS], int rounds)
{
    const double operations = (double)n * n * n / 3 + (double)n * n / 2 + n / 6.0;
    char title[64];

    for (int k = 0; k < VARIANTS; k++) {
        (void)snprintf(title, sizeof(title), "cholesky-devices-%s", names[k]);
        bench_rates(title, seconds[k], rounds, 1e-9 * operations, "GFLOP/s");
    }
    for (int k = 2; k < VARIANTS; k++) {
        (void)snprintf(title, sizeof(title), "cholesky-devices-%s-beside-cut", names[k]);
        bench_ratio(title, seconds[k], seconds[0], rounds);
    }
}

int main(int argc, char **argv)
{
    const int rounds = bench_rounds(ROUNDS);
    hit_context *base = NULL;
    bench_blocks of[VARIANTS];
    bench_turn turn[VARIANTS];
    double seconds[VARIANTS][BENCH_ROUNDS];
    int n;
    int width;

    HIT_MUST(hit_open(&argc, &argv, &base));
    n = argc > 1 ? atoi(argv[1]) : 3072;
    width = argc > 2 ? atoi(argv[2]) : 256;
    for (int k = 0; k < VARIANTS; k++) {
        hit_view view;

        open_variant(&of[k], k, n, width);
        turn[k] = (bench_turn){run, &of[k]};
        (void)run(&of[k]);
        HIT_MUST(hit_tile_map(of[k].tile, 0, HIT_READ, &view));
        bench_check_factor("cholesky-devices", n,
                           (const double *)(const void *)view.data);
    }
    bench_turns(turn, VARIANTS, rounds, seconds);
    print(n, seconds, rounds);
    for (int k = 0; k < VARIANTS; k++) {
        bench_blocks_drop(&of[k]);
        hit_tile_destroy(&of[k].tile);
        hit_close(&of[k].hit);
    }
    hit_close(&base);
    return 0;
}
