/* SPDX-License-Identifier: MIT
 * The Cholesky factor on one process and 2 cores, block by block, beside dpotrf of
 * OpenBLAS on two threads and beside tasks of OpenMP and of StarPU that call the same
 * kernels of the same OpenBLAS on the same blocks; all but dpotrf with the best of some
 * sizes of blocks.
 * usage: cholesky [N] */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "kernels/kernels_impl.h"
#include "tests/bench/bench.h"
#include "tests/bench/blocks.h"
#include "tests/bench/starpu_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 2,
    ROUNDS = 5,
    WIDTHS = 5,
    BLAS = 0,
    FIRST_TASKS = 1,
    FIRST_OURS = FIRST_TASKS + WIDTHS,
    FIRST_STARPU = FIRST_OURS + WIDTHS,
    VARIANTS = FIRST_STARPU + WIDTHS
};

static const int all_widths[WIDTHS] = {192, 256, 384, 512, 768};

/* One matrix, row by row, of which the lower triangle counts. */
typedef struct matrix {
    int n;
    const hit_openblas *blas;
    double *given;
    double *plain; /* where BLAS and the tasks of OpenMP leave the factor */
    hit_context *hit;
    hit_tile *tile;
} matrix;

/* Blocks of it; ours are selections that are made once. */
typedef struct variant {
    matrix *of;
    int width, t;
    bench_blocks ours;
} variant;

static size_t bytes_of(const matrix *m)
{
    return sizeof(double) * (size_t)m->n * (size_t)m->n;
}

static double run_blas(void *context)
{
    const variant *v = context;
    matrix *m = v->of;
    double start;
    int order;

    memcpy(m->plain, m->given, bytes_of(m));
    m->blas->function[HIT_SET_NUM_THREADS].set_threads(THREADS);
    start = bench_time();
    m->blas->function[HIT_DPOTRF].dpotrf("U", &m->n, m->plain, &m->n, &order, 1);
    if (order != 0) bench_stop(1, "cholesky", "dpotrf found no factor");
    return bench_time() - start;
}

/* ---- tasks of OpenMP ---- */

static int size_of(const variant *v, int i)
{
    return i < v->t - 1 ? v->width : v->of->n - i * v->width;
}

static double *block_of(const variant *v, int i, int j)
{
    return v->of->plain + ((long)i * v->of->n + j) * v->width;
}

static void factor_task(const variant *v, int k)
{
    const int size = size_of(v, k);
    int order;

    v->of->blas->function[HIT_DPOTRF].dpotrf("U", &size, block_of(v, k, k), &v->of->n,
                                             &order, 1);
    if (order != 0) bench_stop(1, "cholesky", "dpotrf found no factor of a block");
}

static void solve_task(const variant *v, int i, int k)
{
    v->of->blas->function[HIT_DTRSM].dtrsm(
        HIT_ROW_MAJOR, HIT_RIGHT, HIT_LOWER, HIT_TRANS, HIT_NON_UNIT, size_of(v, i),
        size_of(v, k), 1.0, block_of(v, k, k), v->of->n, block_of(v, i, k), v->of->n);
}

static void update_task(const void *of, int i, int j, int k)
{
    const variant *v = of;
    const int n = v->of->n;

    if (i == j) {
        v->of->blas->function[HIT_DSYRK].dsyrk(
            HIT_ROW_MAJOR, HIT_LOWER, HIT_NO_TRANS, size_of(v, i), size_of(v, k), -1.0,
            block_of(v, i, k), n, 1.0, block_of(v, i, i), n);
    } else {
        v->of->blas->function[HIT_DGEMM].dgemm(
            HIT_ROW_MAJOR, HIT_NO_TRANS, HIT_TRANS, size_of(v, i), size_of(v, j),
            size_of(v, k), -1.0, block_of(v, i, k), n, block_of(v, j, k), n, 1.0,
            block_of(v, i, j), n);
    }
}

static void submit_tasks(const variant *v)
{
    for (int k = 0; k < v->t; k++) {
        double *diagonal = block_of(v, k, k);

        (void)diagonal; /* only pragmas use these */
#pragma omp task depend(inout : diagonal[0])
        factor_task(v, k);
        for (int i = k + 1; i < v->t; i++) {
            double *panel = block_of(v, i, k);

            (void)panel;
#pragma omp task depend(in : diagonal[0]) depend(inout : panel[0])
            solve_task(v, i, k);
        }
        for (int i = k + 1; i < v->t; i++) {
            double *left = block_of(v, i, k);

            (void)left;
            for (int j = k + 1; j <= i; j++) {
                double *right = block_of(v, j, k);
                double *to = block_of(v, i, j);

                (void)right;
                (void)to;
#pragma omp task depend(in : left[0], right[0]) depend(inout : to[0])
                update_task(v, i, j, k);
            }
        }
    }
}

static double run_tasks(void *context)
{
    const variant *v = context;
    double start;

    memcpy(v->of->plain, v->of->given, bytes_of(v->of));
    v->of->blas->function[HIT_SET_NUM_THREADS].set_threads(1);
    start = bench_time();
#pragma omp parallel num_threads(THREADS)
#pragma omp single
    submit_tasks(v);
    return bench_time() - start;
}

/* ---- tasks of StarPU ---- */

static void run_factor(const void *of, int i, int j, int k)
{
    (void)i;
    (void)j;
    factor_task(of, k);
}

static void run_solve(const void *of, int i, int j, int k)
{
    (void)j;
    solve_task(of, i, k);
}

static void add_starpu(const variant *v)
{
    const int t = v->t;

    for (int k = 0; k < t; k++) {
        starpu_side_add(&(starpu_step){run_factor, v, k, k, k}, k * t + k, 0, NULL);
        for (int i = k + 1; i < t; i++) {
            starpu_side_add(&(starpu_step){run_solve, v, i, k, k}, i * t + k, 1,
                            (const int[]){k * t + k});
        }
        for (int i = k + 1; i < t; i++) {
            for (int j = k + 1; j <= i; j++) {
                starpu_side_add(&(starpu_step){update_task, v, i, j, k}, i * t + j,
                                i == j ? 1 : 2, (const int[]){i * t + k, j * t + k});
            }
        }
    }
}

static double run_starpu(void *context)
{
    const variant *v = context;
    double start;
    double seconds;

    memcpy(v->of->plain, v->of->given, bytes_of(v->of));
    v->of->blas->function[HIT_SET_NUM_THREADS].set_threads(1);
    starpu_side_begin(v->t * v->t);
    start = bench_time();
    add_starpu(v);
    starpu_side_wait();
    seconds = bench_time() - start;
    starpu_side_end();
    return seconds;
}

/* ---- ours ---- */

static double run_ours(void *context)
{
    const variant *v = context;
    hit_view view;
    double start;

    HIT_MUST(hit_tile_map(v->of->tile, 0, HIT_WRITE, &view));
    memcpy(view.data, v->of->given, bytes_of(v->of));
    start = bench_time();
    bench_blocks_factor(&v->ours);
    HIT_MUST(hit_wait(v->of->hit));
    return bench_time() - start;
}

static void select_blocks(variant *v)
{
    v->ours = (bench_blocks){
        .hit = v->of->hit, .tile = v->of->tile, .n = v->of->n, .width = v->width};
    bench_blocks_select(&v->ours);
}

/* ---- all of them ---- */

static double *take(const matrix *m)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take(bytes_of(m), "matrix", &memory));
    return memory;
}

static void matrix_open(matrix *m, int n)
{
    void *library = NULL;

    *m = (matrix){.n = n};
    HIT_MUST(hit_openblas_open(&library));
    m->blas = library;
    m->given = take(m);
    m->plain = take(m);
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) {
            m->given[i * n + j] = bench_matrix_element(n, i, j);
        }
    }
    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=2"}, &m->hit));
    m->tile = bench_matrix_tile(m->hit, n);
}

static void matrix_close(matrix *m)
{
    void *memory[] = {m->given, m->plain};

    hit_tile_destroy(&m->tile);
    hit_close(&m->hit);
    hit_memory_release(&memory[0]);
    hit_memory_release(&memory[1]);
    free((void *)m->blas);
}

/* Once before anything is timed: are all of them right? */
static void check(matrix *m, const bench_turn turn[], int count)
{
    for (int k = 0; k < count; k++) {
        const double *l = m->plain;
        hit_view view;

        (void)turn[k].run(turn[k].context);
        if (k >= FIRST_OURS && k < FIRST_STARPU) {
            HIT_MUST(hit_tile_map(m->tile, 0, HIT_READ, &view));
            l = (const double *)(const void *)view.data;
        }
        bench_check_factor("cholesky", m->n, l);
    }
}

static int best_of(double seconds[][BENCH_ROUNDS], int first)
{
    int best = first;

    for (int k = first + 1; k < first + WIDTHS; k++) {
        if (bench_median(seconds[k], ROUNDS) < bench_median(seconds[best], ROUNDS)) {
            best = k;
        }
    }
    return best;
}

static void print_all(int n, double seconds[][BENCH_ROUNDS], bool beside)
{
    const double operations = (double)n * n * n / 3 + (double)n * n / 2 + n / 6.0;
    const double *ours = seconds[best_of(seconds, FIRST_OURS)];
    char title[64];

    bench_rates("cholesky-openblas", seconds[BLAS], ROUNDS, 1e-9 * operations, "GFLOP/s");
    for (int k = 0; k < WIDTHS; k++) {
        (void)snprintf(title, sizeof(title), "cholesky-openmp-%d", all_widths[k]);
        bench_rates(title, seconds[FIRST_TASKS + k], ROUNDS, 1e-9 * operations,
                    "GFLOP/s");
    }
    for (int k = 0; k < WIDTHS; k++) {
        (void)snprintf(title, sizeof(title), "cholesky-%d", all_widths[k]);
        bench_rates(title, seconds[FIRST_OURS + k], ROUNDS, 1e-9 * operations, "GFLOP/s");
    }
    bench_ratio("cholesky-beside-openblas", ours, seconds[BLAS], ROUNDS);
    bench_ratio("cholesky-beside-openmp", ours, seconds[best_of(seconds, FIRST_TASKS)],
                ROUNDS);
    if (!beside) return;
    for (int k = 0; k < WIDTHS; k++) {
        (void)snprintf(title, sizeof(title), "cholesky-starpu-%d", all_widths[k]);
        bench_rates(title, seconds[FIRST_STARPU + k], ROUNDS, 1e-9 * operations,
                    "GFLOP/s");
    }
    bench_ratio("cholesky-beside-starpu", ours, seconds[best_of(seconds, FIRST_STARPU)],
                ROUNDS);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;
    variant of[VARIANTS];
    bench_turn turn[VARIANTS];
    double seconds[VARIANTS][BENCH_ROUNDS];
    matrix m;
    bool beside;
    int count;

    HIT_MUST(hit_open(&argc, &argv, &base));
    beside = starpu_side_open("cholesky", THREADS);
    count = beside ? VARIANTS : FIRST_STARPU;
    matrix_open(&m, argc > 1 ? atoi(argv[1]) : 7680);
    for (int k = 0; k < count; k++) {
        const int width = k == BLAS ? m.n : all_widths[(k - 1) % WIDTHS];

        of[k] = (variant){.of = &m, .width = width, .t = (m.n + width - 1) / width};
        turn[k] = (bench_turn){k == BLAS           ? run_blas
                               : k >= FIRST_STARPU ? run_starpu
                               : k >= FIRST_OURS   ? run_ours
                                                   : run_tasks,
                               &of[k]};
        if (k >= FIRST_OURS && k < FIRST_STARPU) select_blocks(&of[k]);
    }
    check(&m, turn, count);
    bench_turns(turn, count, ROUNDS, seconds);
    print_all(m.n, seconds, beside);
    if (beside) starpu_side_close();
    for (int k = FIRST_OURS; k < FIRST_STARPU; k++) {
        bench_blocks_drop(&of[k].ours);
    }
    matrix_close(&m);
    hit_close(&base);
    return 0;
}
