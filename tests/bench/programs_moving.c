/* SPDX-License-Identifier: MIT
 * Programs on planes whose launches move: LU factors, and shortest paths (Floyd and
 * Warshall). */
#include "tests/bench/programs.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel copy_plane;
extern const hit_kernel lud_column;
extern const hit_kernel lud_rest;
extern const hit_kernel floyd_row;
extern const hit_kernel floyd_column;
extern const hit_kernel floyd_shorten;

enum {
    LUD = 500,
    FLOYD = 400
};

/* ---- LU without pivoting, by rows and columns ---- */

typedef struct lud {
    hit_context *hit;
    hit_tile *start;
    hit_tile *a;
    double *plain_start;
    double *plain;
} lud;

static void *lud_create(hit_context *hit, size_t bytes)
{
    const hit_domain domain = hit_domain_of(LUD, LUD);
    lud *s = bench_state(sizeof(*s));

    (void)bytes;
    s->hit = hit;
    s->plain = bench_array(LUD * LUD, sizeof(double));
    s->plain_start = bench_array(LUD * LUD, sizeof(double));
    for (int at = 0; at < LUD * LUD; at++) {
        s->plain_start[at] = (at % 101) * 0.01 + (at % (LUD + 1) == 0 ? LUD : 0);
    }
    s->start = bench_tile(hit, domain, HIT_DOUBLE, "start");
    s->a = bench_tile(hit, domain, HIT_DOUBLE, "a");
    HIT_MUST(hit_tile_scatter(s->start, 0, s->plain_start));
    return s;
}

static void lud_ours(void *state)
{
    lud *s = state;
    const hit_index last = LUD - 1;

    HIT_MUST(hit_launch(s->hit, &copy_plane, hit_domain_of(LUD, LUD), s->a, s->start));
    for (hit_index k = 0; k < last; k++) {
        const hit_domain rest = hit_domain_box(3, (hit_index[]){k, k + 1, k + 1},
                                               (hit_index[]){k, last, last});

        HIT_MUST(
            hit_launch(s->hit, &lud_column, bench_box(k, k, k + 1, last), s->a, s->a));
        HIT_MUST(hit_launch(s->hit, &lud_rest, rest, s->a, s->a, s->a));
    }
}

static inline void lud_row(double *restrict row, double factor,
                           const double *restrict right, hit_index first)
{
    for (hit_index j = first; j < LUD; j++) {
        row[j] -= factor * right[j];
    }
}

static void lud_plain(void *state, int threads)
{
    lud *s = state;
    double *a = s->plain;

#pragma omp parallel for schedule(static) num_threads(threads)
    for (hit_index i = 0; i < LUD; i++) {
        memcpy(a + i * LUD, s->plain_start + i * LUD, LUD * sizeof(double));
    }
    for (hit_index k = 0; k < LUD - 1; k++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = k + 1; i < LUD; i++) {
            a[i * LUD + k] /= a[k * LUD + k];
        }
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = k + 1; i < LUD; i++) {
            lud_row(a + i * LUD, a[i * LUD + k], a + k * LUD, k + 1);
        }
    }
}

static bool lud_same(void *state)
{
    lud *s = state;

    return bench_equal(s->a, HIT_DOUBLE, s->plain);
}

static void lud_destroy(void *state)
{
    lud *s = state;

    hit_tile_destroy(&s->start);
    hit_tile_destroy(&s->a);
    bench_release(s->plain_start);
    bench_release(s->plain);
    free(s);
}

const bench_program bench_lud = {.name = "lud",
                                 .create = lud_create,
                                 .ours = lud_ours,
                                 .plain = lud_plain,
                                 .same = lud_same,
                                 .destroy = lud_destroy,
                                 .size = "500"};

/* ---- shortest paths ---- */

typedef struct floyd {
    hit_context *hit;
    hit_tile *plane;
    hit_tile *row;
    hit_tile *column;
    float *plain_start;
    float *plain;
    float *plain_row;
    float *plain_column;
} floyd;

static void *floyd_create(hit_context *hit, size_t bytes)
{
    floyd *s = bench_state(sizeof(*s));

    (void)bytes;
    s->hit = hit;
    s->plain_start = bench_array(FLOYD * FLOYD, sizeof(float));
    s->plain = bench_array(FLOYD * FLOYD, sizeof(float));
    s->plain_row = bench_array(FLOYD, sizeof(float));
    s->plain_column = bench_array(FLOYD, sizeof(float));
    for (int at = 0; at < FLOYD * FLOYD; at++) {
        s->plain_start[at] =
            at % (FLOYD + 1) == 0 ? 0 : (float)((unsigned)at * 2654435761U >> 20) + 1;
    }
    s->plane = bench_tile(hit, hit_domain_of(FLOYD, FLOYD), HIT_FLOAT, "plane");
    s->row = bench_tile(hit, hit_domain_of(FLOYD), HIT_FLOAT, "row");
    s->column = bench_tile(hit, hit_domain_of(FLOYD), HIT_FLOAT, "column");
    return s;
}

static void floyd_ours(void *state)
{
    floyd *s = state;
    const hit_domain all = hit_domain_of(FLOYD, FLOYD);

    HIT_MUST(hit_tile_scatter(s->plane, 0, s->plain_start));
    for (hit_index k = 0; k < FLOYD; k++) {
        const hit_domain line = bench_box(k, k, 0, FLOYD - 1);

        HIT_MUST(hit_launch(s->hit, &floyd_row, line, s->row, s->plane));
        HIT_MUST(hit_launch(s->hit, &floyd_column, line, s->column, s->plane));
        HIT_MUST(hit_launch(s->hit, &floyd_shorten, all, s->plane, s->column, s->row));
    }
}

static inline void floyd_plain_row(float *restrict row, float first,
                                   const float *restrict second)
{
    for (hit_index j = 0; j < FLOYD; j++) {
        const float way = first + second[j];

        row[j] = way < row[j] ? way : row[j];
    }
}

static void floyd_plain(void *state, int threads)
{
    floyd *s = state;
    float *plane = s->plain;

    memcpy(plane, s->plain_start, FLOYD * FLOYD * sizeof(float));
    for (hit_index k = 0; k < FLOYD; k++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index j = 0; j < FLOYD; j++) {
            s->plain_row[j] = plane[k * FLOYD + j];
        }
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < FLOYD; i++) {
            s->plain_column[i] = plane[i * FLOYD + k];
        }
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < FLOYD; i++) {
            floyd_plain_row(plane + i * FLOYD, s->plain_column[i], s->plain_row);
        }
    }
}

static bool floyd_same(void *state)
{
    floyd *s = state;

    return bench_equal(s->plane, HIT_FLOAT, s->plain);
}

static void floyd_destroy(void *state)
{
    floyd *s = state;

    hit_tile_destroy(&s->plane);
    hit_tile_destroy(&s->row);
    hit_tile_destroy(&s->column);
    bench_release(s->plain_start);
    bench_release(s->plain);
    bench_release(s->plain_row);
    bench_release(s->plain_column);
    free(s);
}

const bench_program bench_floyd = {.name = "floyd",
                                   .create = floyd_create,
                                   .ours = floyd_ours,
                                   .plain = floyd_plain,
                                   .same = floyd_same,
                                   .destroy = floyd_destroy,
                                   .size = "400"};
