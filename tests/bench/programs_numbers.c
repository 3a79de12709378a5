/* SPDX-License-Identifier: MIT
 * Programs that compute more than they load: k-means, n bodies, prices of options. */
#include "tests/bench/programs.h"
#include "tests/bench/programs_data.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel join;
extern const hit_kernel move_centre;
extern const hit_kernel attract;
extern const hit_kernel advance;
extern const hit_kernel black_scholes;

/* ---- k-means ---- */

enum {
    POINT,
    CLUSTER,
    CENTRE,
    TOTAL,
    COLUMNS = FEATURES + 1 /* of the totals */
};

static void *means_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    s->n = (hit_index)(bytes / sizeof(float)) / FEATURES;
    s->steps = bench_steps(s->n, 1000000);
    bench_scene_add(s, hit_domain_of(s->n, FEATURES), HIT_FLOAT, bench_random);
    bench_scene_add(s, hit_domain_of(s->n), HIT_INT32, NULL);
    bench_scene_add(s, hit_domain_of(CENTRES, FEATURES), HIT_FLOAT, bench_random);
    bench_scene_add(s, hit_domain_of(CENTRES, COLUMNS), HIT_DOUBLE, NULL);
    s->result = CENTRE;
    return s;
}

static void means_ours(void *state)
{
    bench_scene *s = state;
    hit_tile *centre = s->both[CENTRE].tile;
    hit_tile *total = s->both[TOTAL].tile;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &join, hit_domain_of(s->n), s->both[CLUSTER].tile,
                            total, s->both[POINT].tile, centre));
        HIT_MUST(hit_launch(s->hit, &move_centre, hit_domain_of(CENTRES, FEATURES),
                            centre, total));
    }
}

static inline int32_t nearest(const float *restrict point, const float *restrict centre)
{
    float least = INFINITY;
    int32_t best = 0;

    for (int32_t c = 0; c < CENTRES; c++) {
        float distance = 0;

        for (int f = 0; f < FEATURES; f++) {
            const float apart = point[f] - centre[c * FEATURES + f];

            distance += apart * apart;
        }
        best = distance < least ? c : best;
        least = distance < least ? distance : least;
    }
    return best;
}

static void means_join(const bench_scene *s, int threads)
{
    const float *point = s->both[POINT].plain;
    const float *centre = s->both[CENTRE].plain;
    int32_t *restrict cluster = s->both[CLUSTER].plain;
    double *total = s->both[TOTAL].plain;

    memset(total, 0, CENTRES * COLUMNS * sizeof(double));
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : total[: CENTRES * COLUMNS])
    for (hit_index i = 0; i < s->n; i++) {
        const float *own = point + i * FEATURES;
        const int32_t best = nearest(own, centre);

        cluster[i] = best;
        for (int f = 0; f < FEATURES; f++) {
            total[best * COLUMNS + f] += (double)own[f];
        }
        total[best * COLUMNS + FEATURES] += 1;
    }
}

static void means_plain(void *state, int threads)
{
    bench_scene *s = state;
    const double *total = s->both[TOTAL].plain;
    float *centre = s->both[CENTRE].plain;

    for (int t = 0; t < s->steps; t++) {
        means_join(s, threads);
        for (int c = 0; c < CENTRES; c++) {
            const double count = total[c * COLUMNS + FEATURES];

            for (int f = 0; f < FEATURES && count > 0; f++) {
                centre[c * FEATURES + f] = (float)(total[c * COLUMNS + f] / count);
            }
        }
    }
}

const bench_program bench_k_means = {.name = "k-means",
                                     .create = means_create,
                                     .ours = means_ours,
                                     .plain = means_plain,
                                     .same = bench_scene_same,
                                     .destroy = bench_scene_destroy};

/* ---- n bodies ---- */

enum {
    BODY,
    SPEED,
    FORCE,
    BODIES = 4096
};

static const float step = 0.0001f;

static void *bodies_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    (void)bytes;
    s->n = BODIES;
    s->steps = 2;
    bench_scene_add(s, hit_domain_of(s->n, 4), HIT_FLOAT, bench_random);
    bench_scene_add(s, hit_domain_of(s->n, 3), HIT_FLOAT, NULL);
    bench_scene_add(s, hit_domain_of(s->n, 3), HIT_FLOAT, NULL);
    s->result = BODY;
    return s;
}

static void bodies_ours(void *state)
{
    bench_scene *s = state;
    hit_tile *body = s->both[BODY].tile;
    hit_tile *force = s->both[FORCE].tile;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &attract, hit_domain_of(s->n), force, body));
        HIT_MUST(hit_launch(s->hit, &advance, hit_domain_of(s->n, 3), body,
                            s->both[SPEED].tile, force, HIT_VALUE(step)));
    }
}

static void attract_plain(const bench_scene *s, int threads)
{
    const float *body = s->both[BODY].plain;
    float *restrict force = s->both[FORCE].plain;

#pragma omp parallel for schedule(static) num_threads(threads)
    for (hit_index i = 0; i < s->n; i++) {
        const float *own = body + 4 * i;
        float sum[3] = {0, 0, 0};

        for (hit_index k = 0; k < s->n; k++) {
            const float *other = body + 4 * k;

            bench_attract(other[0] - own[0], other[1] - own[1], other[2] - own[2],
                          other[3], sum);
        }
        memcpy(force + 3 * i, sum, sizeof(sum));
    }
}

static void bodies_plain(void *state, int threads)
{
    bench_scene *s = state;
    float *body = s->both[BODY].plain;
    float *speed = s->both[SPEED].plain;
    const float *force = s->both[FORCE].plain;

    for (int t = 0; t < s->steps; t++) {
        attract_plain(s, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < s->n; i++) {
            for (int d = 0; d < 3; d++) {
                speed[3 * i + d] += step * force[3 * i + d];
                body[4 * i + d] += step * speed[3 * i + d];
            }
        }
    }
}

const bench_program bench_n_body = {.name = "n-body",
                                    .create = bodies_create,
                                    .ours = bodies_ours,
                                    .plain = bodies_plain,
                                    .same = bench_scene_same,
                                    .destroy = bench_scene_destroy,
                                    .size = "4096"};

/* ---- options: Black and Scholes ---- */

enum {
    CALL,
    PUT,
    PRICE,
    STRIKE,
    YEARS
};

static double price_of(hit_index at)
{
    return 5 + 25 * bench_random(at);
}

static double strike_of(hit_index at)
{
    return 1 + 99 * bench_random(at + 7);
}

static double years_of(hit_index at)
{
    return 0.25 + 9.75 * bench_random(at + 13);
}

static void *options_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);
    const hit_index n = (hit_index)(bytes / sizeof(float));

    s->n = n;
    s->steps = n > 1000000 ? 1 : bench_steps(n, 1000000);
    bench_scene_add(s, hit_domain_of(n), HIT_FLOAT, NULL);
    bench_scene_add(s, hit_domain_of(n), HIT_FLOAT, NULL);
    bench_scene_add(s, hit_domain_of(n), HIT_FLOAT, price_of);
    bench_scene_add(s, hit_domain_of(n), HIT_FLOAT, strike_of);
    bench_scene_add(s, hit_domain_of(n), HIT_FLOAT, years_of);
    s->result = PUT;
    return s;
}

static void options_ours(void *state)
{
    bench_scene *s = state;

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &black_scholes, hit_domain_of(s->n),
                            s->both[CALL].tile, s->both[PUT].tile, s->both[PRICE].tile,
                            s->both[STRIKE].tile, s->both[YEARS].tile));
    }
}

static void options_plain(void *state, int threads)
{
    bench_scene *s = state;
    const float *price = s->both[PRICE].plain;
    const float *strike = s->both[STRIKE].plain;
    const float *years = s->both[YEARS].plain;
    float *restrict call = s->both[CALL].plain;
    float *restrict put = s->both[PUT].plain;

    for (int t = 0; t < s->steps; t++) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 0; i < s->n; i++) {
            float below;

            call[i] = bench_call(price[i], strike[i], years[i], &below);
            put[i] = below;
        }
    }
}

const bench_program bench_black_scholes = {.name = "black-scholes",
                                           .create = options_create,
                                           .ours = options_ours,
                                           .plain = options_plain,
                                           .same = bench_scene_same,
                                           .destroy = bench_scene_destroy};
