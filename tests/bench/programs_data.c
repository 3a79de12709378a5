/* SPDX-License-Identifier: MIT
 * Programs that pass over large arrays: transpose, scan, histogram, and the product of a
 * sparse matrix and a vector. */
#include "tests/bench/programs_data.h"

#include "tests/bench/programs.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel turn;
extern const hit_kernel scan_sums;
extern const hit_kernel scan_begins;
extern const hit_kernel scan_blocks;
extern const hit_kernel count_bytes;
extern const hit_kernel sparse_row;

static double byte_of(hit_index at)
{
    return floor(256 * bench_random(at));
}

static double digit_of(hit_index at)
{
    return floor(10 * bench_random(at));
}

/* ---- transpose ---- */

enum {
    FROM,
    TO
};

static void *turn_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    s->n = bench_side(bytes, sizeof(float));
    s->steps = bench_steps(s->n * s->n, 20000000);
    bench_scene_add(s, hit_domain_of(s->n, s->n), HIT_FLOAT, bench_random);
    bench_scene_add(s, hit_domain_of(s->n, s->n), HIT_FLOAT, NULL);
    s->result = TO;
    return s;
}

static void turn_ours(void *state)
{
    bench_scene *s = state;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &turn, hit_domain_of(s->n, s->n), s->both[TO].tile,
                            s->both[FROM].tile));
    }
}

static void turn_plain(void *state, int threads)
{
    bench_scene *s = state;
    const hit_index n = s->n;
    const float *from = s->both[FROM].plain;
    float *restrict to = s->both[TO].plain;

    for (int t = 0; t < s->steps; t++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < n; i++) {
            for (hit_index j = 0; j < n; j++) {
                to[j * n + i] = from[i * n + j];
            }
        }
    }
}

const bench_program bench_transpose = {.name = "transpose",
                                       .create = turn_create,
                                       .ours = turn_ours,
                                       .plain = turn_plain,
                                       .same = bench_scene_same,
                                       .destroy = bench_scene_destroy};

/* ---- scan: running sums, by blocks ---- */

enum {
    X,
    SUM,
    Y
};

static void *scan_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    s->m = (hit_index)(bytes / sizeof(int64_t)) / SCAN_BLOCK;
    s->n = s->m * SCAN_BLOCK;
    s->steps = bench_steps(s->n, 30000000);
    bench_scene_add(s, hit_domain_of(s->n), HIT_INT64, digit_of);
    bench_scene_add(s, hit_domain_of(s->m), HIT_INT64, NULL);
    bench_scene_add(s, hit_domain_of(s->n), HIT_INT64, NULL);
    s->result = Y;
    return s;
}

static void scan_ours(void *state)
{
    bench_scene *s = state;
    hit_tile *x = s->both[X].tile;
    hit_tile *sum = s->both[SUM].tile;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &scan_sums, hit_domain_of(s->m), sum, x));
        HIT_MUST(hit_launch(s->hit, &scan_begins, hit_domain_of(1), sum));
        HIT_MUST(hit_launch(s->hit, &scan_blocks, hit_domain_of(s->m), s->both[Y].tile,
                            sum, x));
    }
}

static inline void scan_plain_block(int64_t *restrict y, const int64_t *restrict x,
                                    int64_t before)
{
    for (int k = 0; k < SCAN_BLOCK; k++) {
        before += x[k];
        y[k] = before;
    }
}

static void scan_plain(void *state, int threads)
{
    bench_scene *s = state;
    const int64_t *x = s->both[X].plain;
    int64_t *restrict sum = s->both[SUM].plain;
    int64_t *y = s->both[Y].plain;

    for (int t = 0; t < s->steps; t++) {
        int64_t before = 0;

#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index b = 0; b < s->m; b++) {
            int64_t total = 0;

            for (int k = 0; k < SCAN_BLOCK; k++) {
                total += x[b * SCAN_BLOCK + k];
            }
            sum[b] = total;
        }
        for (hit_index b = 0; b < s->m; b++) {
            const int64_t own = sum[b];

            sum[b] = before;
            before += own;
        }
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index b = 0; b < s->m; b++) {
            scan_plain_block(y + b * SCAN_BLOCK, x + b * SCAN_BLOCK, sum[b]);
        }
    }
}

const bench_program bench_scan = {.name = "scan",
                                  .create = scan_create,
                                  .ours = scan_ours,
                                  .plain = scan_plain,
                                  .same = bench_scene_same,
                                  .destroy = bench_scene_destroy};

/* ---- histogram of bytes ---- */

enum {
    BYTES,
    BIN
};

static void *histogram_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    s->n = (hit_index)bytes;
    s->steps = bench_steps(s->n, 50000000);
    bench_scene_add(s, hit_domain_of(s->n), HIT_UINT8, byte_of);
    bench_scene_add(s, hit_domain_of(BINS), HIT_INT32, NULL);
    s->result = BIN;
    return s;
}

static void histogram_ours(void *state)
{
    bench_scene *s = state;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &count_bytes, hit_domain_of(s->n), s->both[BIN].tile,
                            s->both[BYTES].tile));
    }
}

static void histogram_plain(void *state, int threads)
{
    bench_scene *s = state;
    const uint8_t *x = s->both[BYTES].plain;
    int32_t *bin = s->both[BIN].plain;

    for (int t = 0; t < s->steps; t++) {
        memset(bin, 0, BINS * sizeof(int32_t));
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : bin[:BINS])
        for (hit_index i = 0; i < s->n; i++) {
            bin[x[i]]++;
        }
    }
}

const bench_program bench_histogram = {.name = "histogram",
                                       .create = histogram_create,
                                       .ours = histogram_ours,
                                       .plain = histogram_plain,
                                       .same = bench_scene_same,
                                       .destroy = bench_scene_destroy};

/* ---- a sparse matrix, 12 to 20 elements in each row, not far from the diagonal ---- */

enum {
    PRODUCT,
    START,
    COLUMN,
    VALUE,
    VECTOR,
    MEAN = 16 /* elements of a row */
};

static double start_of(hit_index at)
{
    return (double)(MEAN * at) + (at == 0 ? 0 : floor(4 * bench_random(at)));
}

static double column_of(hit_index at)
{
    const hit_index row = at / MEAN;

    return (double)row + floor(2000 * bench_random(at)); /* below n + 2000 */
}

static void *sparse_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);
    hit_index values;

    s->n = (hit_index)(bytes / sizeof(double)) / MEAN - 1;
    values = MEAN * (s->n + 1);
    s->steps = bench_steps(values, 40000000);
    bench_scene_add(s, hit_domain_of(s->n), HIT_DOUBLE, NULL);
    bench_scene_add(s, hit_domain_of(s->n + 1), HIT_INT32, start_of);
    bench_scene_add(s, hit_domain_of(values), HIT_INT32, column_of);
    bench_scene_add(s, hit_domain_of(values), HIT_DOUBLE, bench_random);
    bench_scene_add(s, hit_domain_of(s->n + 2001), HIT_DOUBLE, bench_random);
    s->result = PRODUCT;
    return s;
}

static void sparse_ours(void *state)
{
    bench_scene *s = state;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &sparse_row, hit_domain_of(s->n),
                            s->both[PRODUCT].tile, s->both[START].tile,
                            s->both[COLUMN].tile, s->both[VALUE].tile,
                            s->both[VECTOR].tile));
    }
}

static void sparse_plain(void *state, int threads)
{
    bench_scene *s = state;
    const int32_t *start = s->both[START].plain;
    const int32_t *column = s->both[COLUMN].plain;
    const double *value = s->both[VALUE].plain;
    const double *x = s->both[VECTOR].plain;
    double *restrict y = s->both[PRODUCT].plain;

    for (int t = 0; t < s->steps; t++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < s->n; i++) {
            double sum = 0;

            for (int32_t k = start[i]; k < start[i + 1]; k++) {
                sum += value[k] * x[column[k]];
            }
            y[i] = sum;
        }
    }
}

const bench_program bench_spmv = {.name = "spmv",
                                  .create = sparse_create,
                                  .ours = sparse_ours,
                                  .plain = sparse_plain,
                                  .same = bench_scene_same,
                                  .destroy = bench_scene_destroy};
