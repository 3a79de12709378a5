/* SPDX-License-Identifier: MIT
 * Programs on a plate: the game of life, and red-black relaxation. */
#include "hit/data/sig.h"
#include "tests/bench/programs.h"

#include <stdlib.h>

extern const hit_kernel life;
extern const hit_kernel relax;

/* ---- life: two grids of bytes, dead around ---- */

typedef struct life_state {
    hit_context *hit;
    hit_index side;
    int steps;
    hit_tile *tile[2]; /* [0] is the present */
    uint8_t *plain[2];
} life_state;

static void *life_create(hit_context *hit, size_t bytes)
{
    life_state *s = bench_state(sizeof(*s));

    s->hit = hit;
    s->side = bench_side(bytes, 1);
    s->steps = bench_steps(s->side * s->side, 100000000);
    for (int k = 0; k < 2; k++) {
        s->plain[k] = bench_array(s->side * s->side, 1);
        s->tile[k] = bench_tile(hit, hit_domain_of(s->side, s->side), HIT_UINT8, "grid");
        for (hit_index at = 0; at < s->side * s->side; at++) {
            s->plain[k][at] = (uint8_t)((at * 2654435761U >> 13) % 3 == 0);
        }
        HIT_MUST(hit_tile_scatter(s->tile[k], 0, s->plain[k]));
    }
    return s;
}

static void life_ours(void *state)
{
    life_state *s = state;
    const hit_domain inner = hit_domain_grow(hit_domain_of(s->side, s->side), -1);

    for (int t = 0; t < s->steps; t++) {
        HIT_MUST(hit_launch(s->hit, &life, inner, s->tile[1], s->tile[0]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static inline void life_row(uint8_t *restrict next, const uint8_t *restrict now,
                            hit_index m)
{
    for (hit_index j = 1; j < m - 1; j++) {
        const uint8_t around =
            (uint8_t)(now[j - m - 1] + now[j - m] + now[j - m + 1] + now[j - 1] +
                      now[j + 1] + now[j + m - 1] + now[j + m] + now[j + m + 1]);

        next[j] = (uint8_t)((around == 3) | ((around == 2) & now[j]));
    }
}

static void life_plain(void *state, int threads)
{
    life_state *s = state;
    const hit_index n = s->side;

    for (int t = 0; t < s->steps; t++) {
        uint8_t *next = s->plain[1];
        const uint8_t *now = s->plain[0];

#pragma omp parallel for schedule(static) num_threads(threads)
        for (hit_index i = 1; i < n - 1; i++) {
            life_row(next + i * n, now + i * n, n);
        }
        s->plain[1] = s->plain[0];
        s->plain[0] = next;
    }
}

static bool life_same(void *state)
{
    life_state *s = state;

    return bench_equal(s->tile[0], HIT_UINT8, s->plain[0]);
}

static void life_destroy(void *state)
{
    life_state *s = state;

    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&s->tile[k]);
        bench_release(s->plain[k]);
    }
    free(s);
}

const bench_program bench_life = {.name = "life",
                                  .create = life_create,
                                  .ours = life_ours,
                                  .plain = life_plain,
                                  .same = life_same,
                                  .destroy = life_destroy};

/* ---- red-black: one plate, half of its points at a time, in two strided boxes ---- */

typedef struct plate {
    hit_context *hit;
    hit_index side; /* even */
    int steps;
    hit_tile *tile;
    float *plain;
} plate;

static const float omega = 1.5f;

/* The order of the four boxes; two of one colour do not touch each other. */
static const int first[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};

static void *plate_create(hit_context *hit, size_t bytes)
{
    plate *s = bench_state(sizeof(*s));

    s->hit = hit;
    s->side = bench_side(bytes, sizeof(float)) / 2 * 2;
    s->steps = bench_steps(s->side * s->side, 50000000);
    s->plain = bench_array(s->side * s->side, sizeof(float));
    s->tile = bench_tile(hit, hit_domain_of(s->side, s->side), HIT_FLOAT, "plate");
    for (hit_index at = 0; at < s->side * s->side; at++) {
        s->plain[at] = (float)(at % 1000) / 1000;
    }
    HIT_MUST(hit_tile_scatter(s->tile, 0, s->plain));
    return s;
}

static void plate_ours(void *state)
{
    plate *s = state;

    for (int t = 0; t < s->steps; t++) {
        for (int k = 0; k < 4; k++) {
            const hit_domain box = {2,
                                    {hit_sig_make(2 - first[k][0], s->side - 2, 2),
                                     hit_sig_make(2 - first[k][1], s->side - 2, 2)}};

            HIT_MUST(hit_launch(s->hit, &relax, box, s->tile, HIT_VALUE(omega)));
        }
    }
}

static inline void relax_row(float *row, hit_index start, hit_index m)
{
    for (hit_index j = start; j < m - 1; j += 2) {
        const float mean = 0.25f * (row[j - 1] + row[j + 1] + row[j - m] + row[j + m]);

        row[j] += omega * (mean - row[j]);
    }
}

static void plate_plain(void *state, int threads)
{
    plate *s = state;
    const hit_index n = s->side;
    float *all = s->plain;

    for (int t = 0; t < s->steps; t++) {
        for (int k = 0; k < 4; k++) {
            const hit_index start = first[k][1] == 0 ? 2 : 1;

#pragma omp parallel for schedule(static) num_threads(threads)
            for (hit_index i = first[k][0] == 0 ? 2 : 1; i < n - 1; i += 2) {
                relax_row(all + i * n, start, n);
            }
        }
    }
}

static bool plate_same(void *state)
{
    plate *s = state;

    return bench_equal(s->tile, HIT_FLOAT, s->plain);
}

static void plate_destroy(void *state)
{
    plate *s = state;

    hit_tile_destroy(&s->tile);
    bench_release(s->plain);
    free(s);
}

const bench_program bench_red_black = {.name = "red-black",
                                       .create = plate_create,
                                       .ours = plate_ours,
                                       .plain = plate_plain,
                                       .same = plate_same,
                                       .destroy = plate_destroy};
