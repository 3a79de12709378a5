/* SPDX-License-Identifier: MIT
 * The Cholesky factor on 2 processes of one thread each, block by block, blocks shared
 * out cyclically: against the same launches one after the other, each of which is waited
 * for. On the machine's own messages, and on such that take LATE_S longer.
 * usage: cholesky-mpi [N] */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/bench/blocks.h"

#include <stdlib.h>

enum {
    ROUNDS = 11,
    WIDTH = 128
};

static const double late_s = 0.0005;

typedef struct setting {
    bench_blocks b;
    double *given; /* of process 0: the matrix */
    double *found;
} setting;

static double run(setting *s, bool waits)
{
    double start;

    HIT_MUST(hit_tile_scatter(s->b.tile, 0, s->given));
    s->b.waits = waits;
    HIT_MUST(hit_barrier(s->b.hit));
    start = bench_time();
    bench_blocks_factor(&s->b);
    HIT_MUST(hit_wait(s->b.hit));
    HIT_MUST(hit_barrier(s->b.hit));
    return bench_time() - start;
}

static double run_ahead(void *context)
{
    return run(context, false);
}

static double run_one_by_one(void *context)
{
    return run(context, true);
}

static void compare(setting *s, const char *name, double hold_s)
{
    const int rounds = bench_rounds(ROUNDS);
    const bench_turn turn[2] = {{run_ahead, s}, {run_one_by_one, s}};
    double seconds[2][BENCH_ROUNDS];

    hit_comm_hold(s->b.hit->comm, hold_s);
    bench_turns(turn, 2, rounds, seconds);
    hit_comm_hold(s->b.hit->comm, 0);
    (void)run_ahead(s);
    HIT_MUST(hit_tile_gather(s->b.tile, 0, s->found));
    if (hit_rank(s->b.hit) != 0) return;
    bench_check_factor(name, s->b.n, s->found);
    bench_ratio(name, seconds[0], seconds[1], rounds);
}

int main(int argc, char **argv)
{
    setting s = {.b = {.n = argc > 1 ? atoi(argv[1]) : 3840, .width = WIDTH}};
    const int n = s.b.n;

    HIT_MUST(hit_open_with(&argc, &argv, &(hit_options){.threads = 1}, &s.b.hit));
    if (hit_size(s.b.hit) != 2) bench_stop(77, "cholesky-mpi", "needs 2 processes");
    HIT_MUST(hit_chain(s.b.hit, HIT_CHAIN_ANY));
    HIT_MUST(hit_tile_make(s.b.hit, hit_domain_of(n, n), "blockcyclic:block=128",
                           HIT_DOUBLE, "A", &s.b.tile));
    bench_blocks_select(&s.b);
    HIT_MUST(hit_memory_zeroed((size_t)n * (size_t)n, sizeof(double), &s.given));
    HIT_MUST(hit_memory_zeroed((size_t)n * (size_t)n, sizeof(double), &s.found));
    for (int k = 0; k < n * n; k++) {
        s.given[k] = bench_matrix_element(n, k / n, k % n);
    }
    compare(&s, "cholesky-mpi", 0);
    compare(&s, "cholesky-mpi-late", late_s);
    bench_blocks_drop(&s.b);
    hit_tile_destroy(&s.b.tile);
    free(s.given);
    free(s.found);
    hit_close(&s.b.hit);
    return 0;
}
