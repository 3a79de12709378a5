/* SPDX-License-Identifier: MIT
 * Programs of many small launches: alignment of two sequences by antidiagonals (Needleman
 * and Wunsch), and a Toeplitz system (Durbin). */
#include "tests/bench/programs.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel nw_diagonal;
extern const hit_kernel durbin_dot;
extern const hit_kernel durbin_step;
extern const hit_kernel durbin_flip;

/* ---- alignment: score[d][i] is that of i letters of one, d - i of the other ---- */

enum {
    DURBIN = 2000,
    NW = 2000,
    NW_SIDE = NW + 1,
    NW_DIAGONALS = 2 * NW + 1
};

static const int32_t gap = 2;

typedef struct nw {
    hit_context *hit;
    hit_tile *score;
    hit_tile *left;
    hit_tile *up;
    int32_t *plain;
    int32_t *plain_left;
    int32_t *plain_up;
} nw;

/* What the borders cost: all letters of one beside gaps. */
static void set_borders(int32_t *score)
{
    for (hit_index d = 0; d < NW_SIDE; d++) {
        score[d * NW_SIDE] = -gap * (int32_t)d;
        score[d * NW_SIDE + d] = -gap * (int32_t)d;
    }
}

static void *nw_create(hit_context *hit, size_t bytes)
{
    nw *s = bench_state(sizeof(*s));

    (void)bytes;
    s->hit = hit;
    s->plain = bench_array((hit_index)NW_DIAGONALS * NW_SIDE, sizeof(int32_t));
    memset(s->plain, 0, (size_t)NW_DIAGONALS * NW_SIDE * sizeof(int32_t));
    s->plain_left = bench_array(NW_SIDE, sizeof(int32_t));
    s->plain_up = bench_array(NW_SIDE, sizeof(int32_t));
    for (int at = 0; at < NW_SIDE; at++) {
        s->plain_left[at] = (int32_t)((unsigned)at * 2654435761U >> 20) % 4;
        s->plain_up[at] = (int32_t)((unsigned)at * 2246822519U >> 20) % 4;
    }
    set_borders(s->plain);
    s->score = bench_tile(hit, hit_domain_of(NW_DIAGONALS, NW_SIDE), HIT_INT32, "score");
    s->left = bench_tile(hit, hit_domain_of(NW_SIDE), HIT_INT32, "left");
    s->up = bench_tile(hit, hit_domain_of(NW_SIDE), HIT_INT32, "up");
    HIT_MUST(hit_tile_scatter(s->score, 0, s->plain));
    HIT_MUST(hit_tile_scatter(s->left, 0, s->plain_left));
    HIT_MUST(hit_tile_scatter(s->up, 0, s->plain_up));
    return s;
}

static hit_index first_of(hit_index d)
{
    return d > NW ? d - NW : 1;
}

static hit_index last_of(hit_index d)
{
    return d > NW ? NW : d - 1;
}

/* Rows of one tile: what a launch writes and what it reads lie apart. */
static void nw_ours(void *state)
{
    nw *s = state;

    for (hit_index d = 2; d < NW_DIAGONALS; d++) {
        HIT_MUST(hit_launch(s->hit, &nw_diagonal,
                            bench_box(d, d, first_of(d), last_of(d)), s->score, s->score,
                            s->score, s->left, s->up, HIT_VALUE(gap)));
    }
}

static void nw_plain(void *state, int threads)
{
    nw *s = state;
    const int32_t *left = s->plain_left;

    for (hit_index d = 2; d < NW_DIAGONALS; d++) {
        int32_t *restrict now = s->plain + d * NW_SIDE;
        const int32_t *before = now - NW_SIDE;
        const int32_t *older = before - NW_SIDE;
        const int32_t *up = s->plain_up + d;

#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = first_of(d); i <= last_of(d); i++) {
            const int32_t match = older[i - 1] + (left[i] == up[-i] ? 3 : -1);
            const int32_t one = before[i - 1] - gap;
            const int32_t other = before[i] - gap;
            const int32_t best = one > other ? one : other;

            now[i] = match > best ? match : best;
        }
    }
}

static bool nw_same(void *state)
{
    nw *s = state;

    return bench_equal(s->score, HIT_INT32, s->plain);
}

static void nw_destroy(void *state)
{
    nw *s = state;

    hit_tile_destroy(&s->score);
    hit_tile_destroy(&s->left);
    hit_tile_destroy(&s->up);
    bench_release(s->plain);
    bench_release(s->plain_left);
    bench_release(s->plain_up);
    free(s);
}

const bench_program bench_needleman_wunsch = {.name = "needleman-wunsch",
                                              .create = nw_create,
                                              .ours = nw_ours,
                                              .plain = nw_plain,
                                              .same = nw_same,
                                              .destroy = nw_destroy,
                                              .size = "2000"};

/* ---- a Toeplitz system; two vectors take turns ---- */

typedef struct durbin {
    hit_context *hit;
    hit_tile *r;
    hit_tile *y;
    hit_tile *z;
    hit_tile *alpha;
    hit_tile *beta;
    hit_tile *total;
    double *plain_r;
    double *plain_y;
    double *plain_z;
    double *plain_start; /* of y */
} durbin;

static void *durbin_create(hit_context *hit, size_t bytes)
{
    durbin *s = bench_state(sizeof(*s));

    (void)bytes;
    s->hit = hit;
    s->plain_r = bench_array(DURBIN, sizeof(double));
    s->plain_y = bench_array(DURBIN, sizeof(double));
    s->plain_z = bench_array(DURBIN, sizeof(double));
    s->plain_start = bench_array(DURBIN, sizeof(double));
    for (int i = 0; i < DURBIN; i++) {
        s->plain_r[i] = 1.0 / (i + 2);
        s->plain_start[i] = 0;
    }
    s->r = bench_tile(hit, hit_domain_of(DURBIN), HIT_DOUBLE, "r");
    s->y = bench_tile(hit, hit_domain_of(DURBIN), HIT_DOUBLE, "y");
    s->z = bench_tile(hit, hit_domain_of(DURBIN), HIT_DOUBLE, "z");
    s->alpha = bench_tile(hit, hit_domain_scalar(), HIT_DOUBLE, "alpha");
    s->beta = bench_tile(hit, hit_domain_scalar(), HIT_DOUBLE, "beta");
    s->total = bench_tile(hit, hit_domain_scalar(), HIT_DOUBLE, "total");
    HIT_MUST(hit_tile_scatter(s->r, 0, s->plain_r));
    return s;
}

static void durbin_ours(void *state)
{
    durbin *s = state;
    const double alpha = -s->plain_r[0];
    const double beta = 1;

    s->plain_start[0] = alpha;
    HIT_MUST(hit_tile_scatter(s->y, 0, s->plain_start));
    HIT_MUST(hit_tile_scatter(s->alpha, 0, &alpha));
    HIT_MUST(hit_tile_scatter(s->beta, 0, &beta));
    for (hit_index k = 1; k < DURBIN; k++) {
        const hit_domain known = bench_box(k, k, 0, k - 1);
        const hit_domain next = hit_domain_box(1, &k, &k);

        HIT_MUST(hit_launch(s->hit, &durbin_dot, known, s->total, s->r, s->y));
        HIT_MUST(hit_launch(s->hit, &durbin_step, next, s->alpha, s->beta, s->z, s->total,
                            s->r));
        HIT_MUST(hit_launch(s->hit, &durbin_flip, known, s->z, s->y, s->alpha));
        hit_tile_swap(&s->y, &s->z);
    }
}

static double durbin_total(const double *back, const double *y, hit_index k, int threads)
{
    double total = 0;

#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : total)
    for (hit_index i = 0; i < k; i++) {
        total += back[-i] * y[i];
    }
    return total;
}

static void durbin_plain(void *state, int threads)
{
    durbin *s = state;
    double alpha = -s->plain_r[0];
    double beta = 1;

    s->plain_y[0] = alpha;
    for (hit_index k = 1; k < DURBIN; k++) {
        const double total = durbin_total(s->plain_r + k - 1, s->plain_y, k, threads);
        const double *y = s->plain_y;
        double *restrict z = s->plain_z;

        beta *= 1 - alpha * alpha;
        alpha = -(s->plain_r[k] + total) / beta;
        z[k] = alpha;
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < k; i++) {
            z[i] = y[i] + alpha * y[k - 1 - i];
        }
        s->plain_z = s->plain_y;
        s->plain_y = z;
    }
}

static bool durbin_same(void *state)
{
    durbin *s = state;

    return bench_equal(s->y, HIT_DOUBLE, s->plain_y);
}

static void durbin_destroy(void *state)
{
    durbin *s = state;

    hit_tile_destroy(&s->r);
    hit_tile_destroy(&s->y);
    hit_tile_destroy(&s->z);
    hit_tile_destroy(&s->alpha);
    hit_tile_destroy(&s->beta);
    hit_tile_destroy(&s->total);
    bench_release(s->plain_r);
    bench_release(s->plain_y);
    bench_release(s->plain_z);
    bench_release(s->plain_start);
    free(s);
}

const bench_program bench_durbin = {.name = "durbin",
                                    .create = durbin_create,
                                    .ours = durbin_ours,
                                    .plain = durbin_plain,
                                    .same = durbin_same,
                                    .destroy = durbin_destroy,
                                    .size = "2000"};
