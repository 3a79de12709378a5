/* SPDX-License-Identifier: MIT
 * A product of two double matrices on 2 processes of one thread each, rows distributed:
 * against two serial products of the same total work, which need no messages, and against
 * ScaLAPACK's pdgemm with the best of its blocks of 64 to 512, where it was there when
 * this was built. All three call one OpenBLAS, which is linked and so chooses its kernels
 * by itself: set OPENBLAS_CORETYPE where it does not know the cores. usage: gemm-mpi [N]
 */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/scalapack.h"

#include <cblas.h>
#include <mpi.h>

#include <math.h>
#include <stdio.h>

enum {
    ROUNDS = 11,
    CHOICE_ROUNDS = 3
};

typedef struct setting {
    hit_context *hit;
    int n;
    hit_domain square;
    hit_tile *tile[3];
    double *plain[3]; /* whole matrices; the last is the right result */
    int block;        /* of pdgemm */
    int columns;      /* of this process, in blocks in turn */
    double *own[3];
} setting;

static double value(long i, long j, int k)
{
    return sin((double)((i * 31 + j * 17) % 997) + k);
}

static double *take(size_t count)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take(sizeof(double) * count, "matrix", &memory));
    return memory;
}

static double run_ours(void *context)
{
    setting *s = context;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    HIT_MUST(hit_launch(s->hit, &gemm_double, s->square, s->tile[2], s->tile[0],
                        s->tile[1], HIT_VALUE(1.0), HIT_VALUE(0.0)));
    HIT_MUST(hit_wait(s->hit));
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static double run_serial(void *context)
{
    setting *s = context;
    const int n = s->n;
    double start;

    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n / 2, n, n, 1.0, s->plain[0],
                n, s->plain[1], n, 0.0, s->plain[2], n);
    MPI_Barrier(MPI_COMM_WORLD);
    return bench_time() - start;
}

static void compare_times(setting *s, const char *title, bench_variant theirs)
{
    const bench_turn turn[2] = {{run_ours, s}, {theirs, s}};
    double seconds[2][BENCH_ROUNDS];

    bench_turns(turn, 2, ROUNDS, seconds);
    if (hit_rank(s->hit) == 0) bench_ratio(title, seconds[0], seconds[1], ROUNDS);
}

#ifdef BENCH_SCALAPACK
static const int zero = 0;
static const int one = 1;

/* The global column of local column @p j. */
static long column_of(const setting *s, int j)
{
    const int me = hit_rank(s->hit);

    return ((long)(j / s->block) * 2 + me) * s->block + j % s->block;
}

static double run_pdgemm(void *context)
{
    setting *s = context;
    const int n = s->n;
    const double alpha = 1;
    const double beta = 0;
    int desc[9];
    int grid = 0;
    int info = 0;
    double start;

    Cblacs_get(-1, 0, &grid);
    Cblacs_gridinit(&grid, "R", 1, 2);
    descinit_(desc, &n, &n, &s->block, &s->block, &zero, &zero, &grid, &n, &info);
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time();
    pdgemm_("N", "N", &n, &n, &n, &alpha, s->own[0], &one, &one, desc, s->own[1], &one,
            &one, desc, &beta, s->own[2], &one, &one, desc);
    MPI_Barrier(MPI_COMM_WORLD);
    start = bench_time() - start;
    Cblacs_gridexit(grid);
    return start;
}

/* By columns: what lies there as column j is row j of the product of the transposed. */
static void open_pdgemm(setting *s, int block)
{
    const int me = hit_rank(s->hit);
    const int two = 2;

    s->block = block;
    s->columns = numroc_(&s->n, &block, &me, &zero, &two);
    for (int k = 0; k < 3; k++) {
        const int from = k == 0 ? 1 : 0; /* C' = B' A' */

        s->own[k] = take((size_t)s->n * (size_t)s->columns);
        for (int j = 0; j < s->columns; j++) {
            for (int i = 0; i < s->n; i++) {
                s->own[k][(long)j * s->n + i] = value(column_of(s, j), i, from);
            }
        }
    }
}

/* Also compares what it has computed. */
static void close_pdgemm(setting *s)
{
    double worst = 0;

    for (int j = 0; j < s->columns; j++) {
        for (int i = 0; i < s->n; i++) {
            const double error = fabs(s->own[2][(long)j * s->n + i] -
                                      s->plain[2][column_of(s, j) * s->n + i]);

            if (!(error <= worst)) worst = error;
        }
    }
    if (!(worst <= 1e-15 * s->n * s->n)) {
        bench_stop(1, "gemm-mpi-pdgemm", "pdgemm's result differs");
    }
    for (int k = 0; k < 3; k++) {
        void *memory = s->own[k];

        hit_memory_release(&memory);
    }
}

/* The best block size of a few rounds. */
static int best_block(setting *s)
{
    double best_s = 0;
    int best = 0;

    for (int block = 64; block <= 512; block *= 2) {
        const bench_turn turn = {run_pdgemm, s};
        double seconds[1][BENCH_ROUNDS];
        double median_s;
        char title[64];

        open_pdgemm(s, block);
        bench_turns(&turn, 1, CHOICE_ROUNDS, seconds);
        close_pdgemm(s);
        median_s = bench_median(seconds[0], CHOICE_ROUNDS);
        if (best == 0 || median_s < best_s) {
            best = block;
            best_s = median_s;
        }
        snprintf(title, sizeof(title), "gemm-mpi-pdgemm-%d", block);
        if (hit_rank(s->hit) == 0) {
            bench_times(title, seconds[0], CHOICE_ROUNDS, 1, "seconds");
        }
    }
    MPI_Bcast(&best, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return best;
}

static void try_pdgemm(setting *s)
{
    char title[64];

    open_pdgemm(s, best_block(s));
    snprintf(title, sizeof(title), "gemm-mpi-pdgemm-best-%d", s->block);
    compare_times(s, title, run_pdgemm);
    close_pdgemm(s);
}
#endif

static void set_up(setting *s)
{
    static const char *const name[3] = {"a", "b", "c"};
    hit_layout *layout = NULL;

    s->square = hit_domain_of(s->n, s->n);
    HIT_MUST(hit_layout_create(s->hit, s->square, "block:dims=0", &layout));
    for (int k = 0; k < 3; k++) {
        s->plain[k] = take((size_t)s->n * (size_t)s->n);
        for (long i = 0; i < s->n; i++) {
            for (long j = 0; j < s->n; j++) {
                s->plain[k][i * s->n + j] = value(i, j, k);
            }
        }
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, name[k], &s->tile[k]));
        HIT_MUST(hit_tile_scatter(s->tile[k], 0, s->plain[k]));
    }
    hit_layout_destroy(&layout);
}

/* Every process computes the whole result once more. */
static void compare(setting *s)
{
    const int n = s->n;
    hit_index x[HIT_MAX_DIMS];
    hit_view view;
    double worst = 0;

    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, s->plain[0], n,
                s->plain[1], n, 0.0, s->plain[2], n);
    HIT_MUST(hit_tile_map(s->tile[2], 0, HIT_READ, &view));
    for (bool go = hit_domain_first(&view.domain, x); go;
         go = hit_domain_next(&view.domain, x)) {
        const double error =
            fabs(HIT_AT(view, double, x[0], x[1]) - s->plain[2][x[0] * n + x[1]]);

        if (!(error <= worst)) worst = error;
    }
    if (!(worst <= 1e-15 * n * n)) bench_stop(1, "gemm-mpi", "the results differ");
}

int main(int argc, char **argv)
{
    setting s = {.n = argc > 1 ? atoi(argv[1]) : 4096};

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    if (hit_size(s.hit) != 2) bench_stop(77, "gemm-mpi", "needs 2 processes");
    openblas_set_num_threads(1);
    set_up(&s);
    compare_times(&s, "gemm-mpi-serial", run_serial);
    compare(&s);
#ifdef BENCH_SCALAPACK
    try_pdgemm(&s);
#else
    if (hit_rank(s.hit) == 0) {
        puts("gemm-mpi: no pdgemm: install libscalapack-openmpi-dev and build anew");
    }
#endif
    for (int k = 0; k < 3; k++) {
        void *memory = s.plain[k];

        hit_memory_release(&memory);
        hit_tile_destroy(&s.tile[k]);
    }
    hit_close(&s.hit);
    return 0;
}
