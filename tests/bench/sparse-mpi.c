/* SPDX-License-Identifier: MIT
 * Products with a band of N rows on 2 processes, the result being the next vector: where
 * the pattern of the vector says that its places stand in the columns, against one that
 * says that all of it may be read.
 * usage: sparse-mpi [N]; default 2^20 */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

enum {
    STEPS = 20,
    ROUNDS = 11,
    ENTRIES = 5
};

extern const hit_kernel sparse_columns, sparse_all, sparse_matrix;

typedef struct setting {
    hit_context *hit;
    hit_domain rows;
    hit_tile *x;
    hit_tile *y;
    hit_tile *value;
    hit_tile *column;
    const hit_kernel *kernel;
    double sum; /* of the last vector, by place */
} setting;

static double sum_of(const setting *s)
{
    hit_view view;
    double sum = 0;

    HIT_MUST(hit_tile_map(s->x, 0, HIT_READ, &view));
    HIT_FOR_EACH (at, view.domain) {
        sum += HIT_AT(view, double, at[0]) * (double)(1 + at[0] % 7);
    }
    return sum;
}

static double run(void *context)
{
    setting *s = context;
    const int n = (int)hit_domain_count(&s->rows);
    double start;

    HIT_MUST(hit_launch(s->hit, &sparse_matrix, s->rows, s->value, s->column, s->x,
                        HIT_VALUE(n)));
    HIT_MUST(hit_launch(s->hit, s->kernel, s->rows, s->y, s->x, s->value, s->column));
    HIT_MUST(hit_barrier(s->hit));
    start = bench_time();
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(s->hit, s->kernel, s->rows, s->y, s->x, s->value, s->column));
        hit_tile_swap(&s->x, &s->y);
    }
    HIT_MUST(hit_wait(s->hit));
    HIT_MUST(hit_barrier(s->hit));
    start = (bench_time() - start) / STEPS;
    s->sum = sum_of(s);
    return start;
}

static hit_tile *make(hit_context *hit, hit_domain domain, hit_type type,
                      const char *name)
{
    hit_tile *made = NULL;

    HIT_MUST(hit_tile_make(hit, domain, "block:dims=0", type, name, &made));
    return made;
}

/* The bytes that all processes send in a step. */
static double sent(setting *s)
{
    hit_stats before;
    hit_stats after;

    HIT_MUST(hit_context_stats_all(s->hit, &before));
    (void)run(s);
    HIT_MUST(hit_context_stats_all(s->hit, &after));
    return (double)(after.message_bytes_sent - before.message_bytes_sent) / (STEPS + 1);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    const int rounds = bench_rounds(ROUNDS);
    setting columns = {.kernel = &sparse_columns, .rows = hit_domain_of(n)};
    setting all;
    double seconds[2][BENCH_ROUNDS];
    double bytes[2];

    HIT_MUST(hit_open_with(&argc, &argv, &(hit_options){.threads = 1}, &columns.hit));
    if (hit_size(columns.hit) != 2) bench_stop(77, "sparse-mpi", "needs 2 processes");
    columns.x = make(columns.hit, columns.rows, HIT_DOUBLE, "x");
    columns.y = make(columns.hit, columns.rows, HIT_DOUBLE, "y");
    columns.value = make(columns.hit, hit_domain_of(n, ENTRIES), HIT_DOUBLE, "value");
    columns.column = make(columns.hit, hit_domain_of(n, ENTRIES), HIT_INT32, "column");
    all = columns;
    all.kernel = &sparse_all;
    bench_turns((const bench_turn[]){{run, &columns}, {run, &all}}, 2, rounds, seconds);
    if (columns.sum != all.sum) bench_stop(1, "sparse-mpi", "the results differ");
    bytes[0] = sent(&columns);
    bytes[1] = sent(&all);
    if (hit_rank(columns.hit) == 0) {
        bench_ratio("sparse-mpi", seconds[0], seconds[1], rounds);
        bench_figure("sparse-mpi sent a step", bytes[0], "bytes");
        bench_figure("sparse-mpi sent a step, of all", bytes[1], "bytes");
    }
    hit_tile_destroy(&columns.column);
    hit_tile_destroy(&columns.value);
    hit_tile_destroy(&columns.y);
    hit_tile_destroy(&columns.x);
    hit_close(&columns.hit);
    return 0;
}
