/* SPDX-License-Identifier: MIT
 * The Cholesky factor of one matrix on 2 processes of one thread: launches on blocks, in
 * the best block of a few, whose rows go back and forth between the processes, against
 * ScaLAPACK's pdpotrf in its best block and grid.
 * usage: cholesky-scalapack-mpi [N [OURS...]]; OURS: our blocks, default 240 256 320 */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/bench/blocks.h"
#include "tests/bench/scalapack.h"

#include <cblas.h>
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 5,
    TRIES = 1,
    BLOCKS = 3
};

static const int zero = 0;
static const int one = 1;

typedef struct setting {
    hit_context *hit;
    int n;
    bench_blocks ours;
    double *given; /* of process 0: the matrix */
    int block;     /* of pdpotrf */
    int grid[2];   /* processes in rows and columns, of pdpotrf */
    double *own;   /* this process's elements, column by column */
} setting;

static double *take(size_t count)
{
    double *made = NULL;

    HIT_MUST(hit_memory_zeroed(count, sizeof(double), &made));
    return made;
}

static double now_together(const setting *s)
{
    HIT_MUST(hit_barrier(s->hit));
    return bench_time();
}

static double run_ours(void *context)
{
    setting *s = context;
    double start;

    HIT_MUST(hit_tile_scatter(s->ours.tile, 0, s->given));
    start = now_together(s);
    bench_blocks_factor(&s->ours);
    HIT_MUST(hit_wait(s->hit));
    return now_together(s) - start;
}

static void open_ours(setting *s, int width)
{
    char layout[64];

    /* rows of blocks go back and forth between the processes: in turn, the one with the
     * last row of each pair would have a twentieth more to do */
    snprintf(layout, sizeof(layout), "map:block=%dx%d,owners=0;1;1;0,repeat=1", width,
             s->n);
    s->ours = (bench_blocks){.hit = s->hit, .n = s->n, .width = width};
    HIT_MUST(hit_tile_make(s->hit, hit_domain_of(s->n, s->n), layout, HIT_DOUBLE, "A",
                           &s->ours.tile));
    bench_blocks_select(&s->ours);
}

static void close_ours(setting *s)
{
    bench_blocks_drop(&s->ours);
    hit_tile_destroy(&s->ours.tile);
}

/* Fills this process's elements, column by column, and factors the lower triangle. */
static double run_theirs(void *context)
{
    setting *s = context;
    const int n = s->n;
    const int me = hit_rank(s->hit);
    const int at[2] = {s->grid[0] == 2 ? me : 0, s->grid[1] == 2 ? me : 0};
    const int rows = numroc_(&n, &s->block, &at[0], &zero, &s->grid[0]);
    const int columns = numroc_(&n, &s->block, &at[1], &zero, &s->grid[1]);
    int desc[9];
    int blacs = 0;
    int info = 0;
    double start;

    for (long j = 0; j < columns; j++) {
        const long y = (j / s->block * s->grid[1] + at[1]) * s->block + j % s->block;

        for (long i = 0; i < rows; i++) {
            const long x = (i / s->block * s->grid[0] + at[0]) * s->block + i % s->block;

            s->own[j * rows + i] = bench_matrix_element(n, x, y);
        }
    }
    Cblacs_get(-1, 0, &blacs);
    Cblacs_gridinit(&blacs, "R", s->grid[0], s->grid[1]);
    descinit_(desc, &n, &n, &s->block, &s->block, &zero, &zero, &blacs, &rows, &info);
    start = now_together(s);
    pdpotrf_("L", &n, s->own, &one, &one, desc, &info);
    start = now_together(s) - start;
    if (info != 0) bench_stop(1, "cholesky-scalapack-mpi", "pdpotrf fails");
    Cblacs_gridexit(blacs);
    return start;
}

/* Is the last row of pdpotrf's factor that of @p l? Its owner knows. */
static void compare_last_row(const setting *s, const double *l)
{
    const int n = s->n;
    const int me = hit_rank(s->hit);
    const int at[2] = {s->grid[0] == 2 ? me : 0, s->grid[1] == 2 ? me : 0};
    const int rows = numroc_(&n, &s->block, &at[0], &zero, &s->grid[0]);
    const int columns = numroc_(&n, &s->block, &at[1], &zero, &s->grid[1]);

    if ((n - 1) / s->block % s->grid[0] != at[0]) return;
    for (long j = 0; j < columns; j++) {
        const long y = (j / s->block * s->grid[1] + at[1]) * s->block + j % s->block;
        const double error = fabs(s->own[j * rows + rows - 1] - l[(n - 1L) * n + y]);

        if (!(error <= 1e-12 * n)) {
            bench_stop(1, "cholesky-scalapack-mpi", "pdpotrf's factor differs");
        }
    }
}

/* All processes know the time of process 0. */
static double best_of(setting *s, bench_variant run)
{
    double best = INFINITY;

    for (int k = 0; k < TRIES; k++) {
        const double seconds = run(s);

        best = seconds < best ? seconds : best;
    }
    MPI_Bcast(&best, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return best;
}

static int choose_ours(setting *s, const int width[], int count)
{
    double best = INFINITY;
    int chosen = width[0];

    for (int k = 0; k < count; k++) {
        double seconds;

        open_ours(s, width[k]);
        seconds = best_of(s, run_ours);
        close_ours(s);
        if (seconds < best) {
            best = seconds;
            chosen = width[k];
        }
    }
    return chosen;
}

static void choose_theirs(setting *s)
{
    static const int block[] = {64, 96, 128, 192, 256};
    double best = INFINITY;
    setting chosen = *s;

    for (size_t k = 0; k < 2 * sizeof(block) / sizeof(block[0]); k++) {
        double seconds;

        s->block = block[k / 2];
        s->grid[0] = k % 2 == 0 ? 2 : 1;
        s->grid[1] = 3 - s->grid[0];
        seconds = best_of(s, run_theirs);
        if (seconds < best) {
            best = seconds;
            chosen = *s;
        }
    }
    *s = chosen;
}

static void compare(setting *s)
{
    const int rounds = bench_rounds(ROUNDS);
    const bench_turn turn[2] = {{run_ours, s}, {run_theirs, s}};
    double seconds[2][BENCH_ROUNDS];
    double *found = take((size_t)s->n * (size_t)s->n);
    char name[80];

    bench_turns(turn, 2, rounds, seconds);
    (void)run_ours(s);
    HIT_MUST(hit_tile_gather(s->ours.tile, 0, found));
    MPI_Bcast(found, s->n * s->n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    compare_last_row(s, found);
    if (hit_rank(s->hit) == 0) {
        bench_check_factor("cholesky-scalapack-mpi", s->n, found);
        snprintf(name, sizeof(name), "cholesky-scalapack-mpi-%d-%d-%dx%d", s->ours.width,
                 s->block, s->grid[0], s->grid[1]);
        bench_ratio(name, seconds[0], seconds[1], rounds);
    }
    free(found);
}

int main(int argc, char **argv)
{
    setting s = {.n = argc > 1 ? atoi(argv[1]) : 7680};
    int width[BLOCKS] = {240, 256, 320};
    int widths = BLOCKS;

    for (int k = 2; k < argc && k - 2 < BLOCKS; k++) {
        width[k - 2] = atoi(argv[k]);
        widths = k - 1;
    }
    HIT_MUST(hit_open_with(&argc, &argv, &(hit_options){.threads = 1}, &s.hit));
    if (hit_size(s.hit) != 2) {
        bench_stop(77, "cholesky-scalapack-mpi", "needs 2 processes");
    }
    openblas_set_num_threads(1);
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    s.given = take((size_t)s.n * (size_t)s.n);
    s.own = take((size_t)s.n * (size_t)(s.n + 256));
    for (long i = 0; i < s.n; i++) {
        for (long j = 0; j < s.n; j++) {
            s.given[i * s.n + j] = bench_matrix_element(s.n, i, j);
        }
    }
    choose_theirs(&s);
    open_ours(&s, choose_ours(&s, width, widths));
    compare(&s);
    close_ours(&s);
    free(s.given);
    free(s.own);
    hit_close(&s.hit);
    return 0;
}
