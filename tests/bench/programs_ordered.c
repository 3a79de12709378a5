/* SPDX-License-Identifier: MIT
 * Programs whose indices run in order, in place: sweeps of Gauss and Seidel, and an
 * alignment. Plain C cuts the square into blocks and runs them in waves, by barriers or
 * by dependences (ordered depend); the faster of both counts. */
#include "tests/bench/bench.h"
#include "tests/bench/programs.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel seidel_sweep;
extern const hit_kernel nw_score;

enum {
    LETTERS = 4000,
    ACROSS = 16 /* blocks */
};

static const int32_t gap = 2;

typedef struct ordered {
    bench_scene *scene;
    int sweeps;
    int way; /* 0: not known; 1, 2: the faster one */
    void (*block)(const struct ordered *s, hit_index i, hit_index j, hit_index rows,
                  hit_index columns);
} ordered;

/* Block (a, b) of the inner elements. */
static void run_block(const ordered *s, int a, int b)
{
    const hit_index rows = s->scene->n - 2;
    const hit_index columns = s->scene->m - 2;
    const hit_index i = 1 + rows * a / ACROSS;
    const hit_index j = 1 + columns * b / ACROSS;

    s->block(s, i, j, 1 + rows * (a + 1) / ACROSS - i,
             1 + columns * (b + 1) / ACROSS - j);
}

static void in_waves(const ordered *s, int threads)
{
    (void)threads;
    for (int t = 0; t < s->sweeps; t++) {
        for (int wave = 0; wave < 2 * ACROSS - 1; wave++) {
            const int first = wave < ACROSS ? 0 : wave - ACROSS + 1;
            const int last = wave < ACROSS ? wave : ACROSS - 1;

#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
            for (int a = first; a <= last; a++) {
                run_block(s, a, wave - a);
            }
        }
    }
}

static void by_dependences(const ordered *s, int threads)
{
    (void)threads;
    for (int t = 0; t < s->sweeps; t++) {
#pragma omp parallel for schedule(static, 1) num_threads(threads) ordered(2)
        for (int a = 0; a < ACROSS; a++) {
            for (int b = 0; b < ACROSS; b++) {
#pragma omp ordered depend(sink : a - 1, b) depend(sink : a, b - 1)
                run_block(s, a, b);
#pragma omp ordered depend(source)
            }
        }
    }
}

/* One after the other, as it stands in a book. */
static void in_order(const ordered *s)
{
    for (int t = 0; t < s->sweeps; t++) {
        s->block(s, 1, 1, s->scene->n - 2, s->scene->m - 2);
    }
}

static void run_way(const ordered *s, int way, int threads)
{
    if (threads == 1) {
        in_order(s);
    } else if (way == 1) {
        in_waves(s, threads);
    } else {
        by_dependences(s, threads);
    }
}

/* The first run, which does not count, says which way is faster; it leaves what one run
 * leaves. */
static void choose_way(ordered *s, int threads)
{
    const bench_both *result = &s->scene->both[0];
    const size_t bytes = (size_t)(s->scene->n * s->scene->m) * result->type.size_bytes;
    void *before = bench_array((hit_index)bytes, 1);
    double least[3] = {0, 1e9, 1e9};

    memcpy(before, result->plain, bytes);
    for (int run = 0; run < 6; run++) {
        const int way = 1 + run % 2;
        double start;

        memcpy(result->plain, before, bytes);
        start = bench_time();
        run_way(s, way, threads);
        least[way] = fmin(least[way], bench_time() - start);
    }
    s->way = least[1] < least[2] ? 1 : 2;
    bench_release(before);
}

static void plain(void *state, int threads)
{
    ordered *s = state;

    if (s->way == 0) {
        choose_way(s, threads);
    } else {
        run_way(s, s->way, threads);
    }
}

static bool same(void *state)
{
    const ordered *s = state;

    return bench_scene_same(s->scene);
}

static void destroy(void *state)
{
    ordered *s = state;

    bench_scene_destroy(s->scene);
    free(s);
}

static hit_domain inner_of(const ordered *s)
{
    return bench_box(1, s->scene->n - 2, 1, s->scene->m - 2);
}

/* ---- Gauss and Seidel ---- */

static void seidel_block(const ordered *s, hit_index i, hit_index j, hit_index rows,
                         hit_index columns)
{
    const hit_index m = s->scene->m;

    for (hit_index a = i; a < i + rows; a++) {
        double *restrict u = (double *)s->scene->both[0].plain + a * m;
        const double *restrict f = (const double *)s->scene->both[1].plain + a * m;

        for (hit_index b = j; b < j + columns; b++) {
            u[b] = 0.25 * (u[b - m] + u[b + m] + u[b - 1] + u[b + 1] + f[b]);
        }
    }
}

static void *seidel_create(hit_context *hit, size_t bytes)
{
    ordered *s = bench_state(sizeof(*s));
    const hit_index side = bench_side(bytes, sizeof(double));

    s->scene = bench_scene_make(hit);
    s->scene->n = s->scene->m = side;
    s->sweeps = bench_steps(side * side, 1 << 22);
    s->block = seidel_block;
    bench_scene_add(s->scene, hit_domain_of(side, side), HIT_DOUBLE, bench_random);
    bench_scene_add(s->scene, hit_domain_of(side, side), HIT_DOUBLE, bench_random);
    return s;
}

static void seidel_ours(void *state)
{
    const ordered *s = state;

    for (int t = 0; t < s->sweeps; t++) {
        HIT_MUST(hit_launch(s->scene->hit, &seidel_sweep, inner_of(s),
                            s->scene->both[0].tile, s->scene->both[1].tile));
    }
}

const bench_program bench_gauss_seidel = {.name = "gauss-seidel",
                                          .create = seidel_create,
                                          .ours = seidel_ours,
                                          .plain = plain,
                                          .same = same,
                                          .destroy = destroy};

/* ---- an alignment; the last row and column of the square are not used ---- */

static void nw_block(const ordered *s, hit_index i, hit_index j, hit_index rows,
                     hit_index columns)
{
    const hit_index m = s->scene->m;
    const int32_t *left = s->scene->both[1].plain;
    const int32_t *up = s->scene->both[2].plain;

    for (hit_index a = i; a < i + rows; a++) {
        int32_t *score = (int32_t *)s->scene->both[0].plain + a * m;

        for (hit_index b = j; b < j + columns; b++) {
            const int32_t match = score[b - m - 1] + (left[a] == up[b] ? 3 : -1);
            const int32_t one = score[b - m] - gap;
            const int32_t other = score[b - 1] - gap;
            const int32_t best = one > other ? one : other;

            score[b] = match > best ? match : best;
        }
    }
}

static double border(hit_index at)
{
    const hit_index side = LETTERS + 2;
    const hit_index row = at / side;

    if (row > 0 && at % side > 0) return 0;
    return -gap * (double)(row > 0 ? row : at);
}

static double letter(hit_index at)
{
    return (double)(int)(4 * bench_random(at));
}

static void *nw_create(hit_context *hit, size_t bytes)
{
    ordered *s = bench_state(sizeof(*s));
    const hit_index side = LETTERS + 2;

    (void)bytes;
    s->scene = bench_scene_make(hit);
    s->scene->n = s->scene->m = side;
    s->sweeps = 1;
    s->block = nw_block;
    bench_scene_add(s->scene, hit_domain_of(side, side), HIT_INT32, border);
    bench_scene_add(s->scene, hit_domain_of(side), HIT_INT32, letter);
    bench_scene_add(s->scene, hit_domain_of(side), HIT_INT32, letter);
    return s;
}

static void nw_ours(void *state)
{
    const ordered *s = state;

    HIT_MUST(hit_launch(s->scene->hit, &nw_score, inner_of(s), s->scene->both[0].tile,
                        s->scene->both[1].tile, s->scene->both[2].tile, HIT_VALUE(gap)));
}

const bench_program bench_alignment = {.name = "alignment",
                                       .create = nw_create,
                                       .ours = nw_ours,
                                       .plain = plain,
                                       .same = same,
                                       .destroy = destroy,
                                       .size = "4000"};
