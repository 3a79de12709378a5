/* SPDX-License-Identifier: MIT
 * Programs that step over grids: the cheapest way through one (pathfinder), and lattice
 * Boltzmann. */
#include "tests/bench/programs.h"
#include "tests/bench/programs_data.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel path_row;
extern const hit_kernel collide;

/* ---- pathfinder ---- */

enum {
    WALL,
    NOW,
    NEXT,
    ROWS = 16
};

static double cost_of(hit_index at)
{
    return floor(10 * bench_random(at));
}

static void *path_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);

    s->n = ROWS;
    s->m = (hit_index)(bytes / sizeof(int32_t)) / ROWS;
    s->steps = bench_steps(s->n * s->m, 50000000);
    bench_scene_add(s, hit_domain_of(s->n, s->m), HIT_INT32, cost_of);
    bench_scene_add(s, hit_domain_of(s->m), HIT_INT32, cost_of);
    bench_scene_add(s, hit_domain_of(s->m), HIT_INT32, cost_of);
    s->result = NOW;
    return s;
}

static void path_ours(void *state)
{
    bench_scene *s = state;

    for (int t = 0; t < s->steps; t++) {
        for (hit_index row = 0; row < s->n; row++) {
            HIT_MUST(hit_launch(s->hit, &path_row, bench_box(row, row, 1, s->m - 2),
                                s->both[NEXT].tile, s->both[NOW].tile,
                                s->both[WALL].tile));
            hit_tile_swap(&s->both[NOW].tile, &s->both[NEXT].tile);
        }
    }
}

static void path_plain(void *state, int threads)
{
    bench_scene *s = state;
    const hit_index m = s->m;

    for (hit_index t = 0; t < s->n * s->steps; t++) {
        const int32_t *wall = (const int32_t *)s->both[WALL].plain + t % s->n * m;
        int32_t *now = s->both[NOW].plain;
        int32_t *restrict next = s->both[NEXT].plain;

#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index j = 1; j < m - 1; j++) {
            int32_t least = now[j];

            least = now[j - 1] < least ? now[j - 1] : least;
            least = now[j + 1] < least ? now[j + 1] : least;
            next[j] = wall[j] + least;
        }
        s->both[NOW].plain = next;
        s->both[NEXT].plain = now;
    }
}

const bench_program bench_pathfinder = {.name = "pathfinder",
                                        .create = path_create,
                                        .ours = path_ours,
                                        .plain = path_plain,
                                        .same = bench_scene_same,
                                        .destroy = bench_scene_destroy};

/* ---- lattice Boltzmann: two speeds and densities of SPEEDS planes; a rim that rests
 * ---- */

enum {
    F,
    G
};

static const float relax_by = 0.6f;

static double flow_of(hit_index at)
{
    return 0.1 + 0.01 * bench_random(at);
}

static void *flow_create(hit_context *hit, size_t bytes)
{
    bench_scene *s = bench_scene_make(hit);
    hit_domain domain;

    s->n = bench_side(bytes / SPEEDS, sizeof(float));
    s->steps = bench_steps(s->n * s->n, 5000000) / 2 * 2;
    domain = hit_domain_of(SPEEDS, s->n, s->n);
    bench_scene_add(s, domain, HIT_FLOAT, flow_of);
    bench_scene_add(s, domain, HIT_FLOAT, flow_of);
    s->result = F;
    return s;
}

static void flow_ours(void *state)
{
    bench_scene *s = state;
    const hit_domain inner = bench_box(1, s->n - 2, 1, s->n - 2);

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &collide, inner, s->both[G].tile, s->both[F].tile,
                            HIT_VALUE(relax_by)));
        hit_tile_swap(&s->both[F].tile, &s->both[G].tile);
    }
}

/* NOLINTBEGIN(bugprone-macro-parentheses): q makes a name, and is a number */
#define PUSH(q, weight, along)                                                           \
    g[q * p + j] = in##q + relax_by * (weight * density *                                \
                                           (1.0f + 3.0f * (along) +                      \
                                            4.5f * (along) * (along)-1.5f * square) -    \
                                       in##q)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Row i of plane 0 begins at both; a plane has p elements, a row m. */
static inline void flow_row(float *restrict g, const float *restrict f, hit_index p,
                            hit_index m)
{
    for (hit_index j = 1; j < m - 1; j++) {
        const float in0 = f[j];
        const float in1 = f[p + j - m];
        const float in2 = f[2 * p + j + m];
        const float in3 = f[3 * p + j - 1];
        const float in4 = f[4 * p + j + 1];
        const float in5 = f[5 * p + j - m - 1];
        const float in6 = f[6 * p + j + m + 1];
        const float in7 = f[7 * p + j - m + 1];
        const float in8 = f[8 * p + j + m - 1];
        const float density = in0 + in1 + in2 + in3 + in4 + in5 + in6 + in7 + in8;
        const float u = (in1 - in2 + in5 - in6 + in7 - in8) / density;
        const float v = (in3 - in4 + in5 - in6 - in7 + in8) / density;
        const float square = u * u + v * v;

        PUSH(0, 4.0f / 9, 0.0f);
        PUSH(1, 1.0f / 9, u);
        PUSH(2, 1.0f / 9, -u);
        PUSH(3, 1.0f / 9, v);
        PUSH(4, 1.0f / 9, -v);
        PUSH(5, 1.0f / 36, u + v);
        PUSH(6, 1.0f / 36, -u - v);
        PUSH(7, 1.0f / 36, u - v);
        PUSH(8, 1.0f / 36, v - u);
    }
}

static void flow_plain(void *state, int threads)
{
    bench_scene *s = state;
    const hit_index n = s->n;

    for (int t = 0; t < s->steps; t++) {
        float *f = s->both[F].plain;
        float *g = s->both[G].plain;

#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 1; i < n - 1; i++) {
            flow_row(g + i * n, f + i * n, n * n, n);
        }
        s->both[F].plain = g;
        s->both[G].plain = f;
    }
}

const bench_program bench_lattice_boltzmann = {.name = "lattice-boltzmann",
                                               .create = flow_create,
                                               .ours = flow_ours,
                                               .plain = flow_plain,
                                               .same = bench_scene_same,
                                               .destroy = bench_scene_destroy};
