/* SPDX-License-Identifier: MIT
 * Rows of stencils in the second cache of a core, on one thread: launches beside the same
 * loops in plain C with the same flags, and beside versions with intrinsics, where the
 * processor has AVX-512 or AVX2. `rows` measures all, `rows wave3` one. */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/rows_plain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel fdtd_x, fdtd_y, fdtd_z, wave3;

enum {
    ROUNDS = 15,
    TIMES = 20, /* steps of a round */
    ENOUGH = 7, /* rows and planes that are computed */
    ARRAYS = 4
};

static const float c = 0.1f;

typedef struct setting {
    hit_context *hit;
    const char *name;
    int dims;
    long reach;
    int arrays;
    rows_step *plain, *hand;
    rows_grid grid[2]; /* of the loop in plain C, and by hand */
    float *array[2][ARRAYS];
    hit_tile *tile[ARRAYS];
    hit_domain inner;
} setting;

/* ---- the variants ---- */

static void launch(const setting *s)
{
    hit_tile *const *t = s->tile;

    if (strcmp(s->name, "heat") == 0) {
        HIT_MUST(hit_launch(s->hit, &heat_float, s->inner, t[0], t[1], HIT_VALUE(c)));
    } else if (strcmp(s->name, "wave") == 0) {
        HIT_MUST(hit_launch(s->hit, &wave_float, s->inner, t[0], t[1], t[2], t[3]));
    } else if (strcmp(s->name, "stencil7") == 0) {
        HIT_MUST(hit_launch(s->hit, &stencil7_float, s->inner, t[0], t[1], HIT_VALUE(c)));
    } else if (strcmp(s->name, "fdtd") == 0) { /* t: hz, ex, ey */
        HIT_MUST(hit_launch(s->hit, &fdtd_y, s->inner, t[2], t[0]));
        HIT_MUST(hit_launch(s->hit, &fdtd_x, s->inner, t[1], t[0]));
        HIT_MUST(hit_launch(s->hit, &fdtd_z, s->inner, t[0], t[1], t[2]));
    } else {
        HIT_MUST(hit_launch(s->hit, &wave3, s->inner, t[0], t[1], t[2]));
    }
}

static double run_ours(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < TIMES; t++) {
        launch(s);
    }
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_plain(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < TIMES; t++) {
        s->plain(&s->grid[0]);
    }
    return bench_time() - start;
}

static double run_hand(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < TIMES; t++) {
        s->hand(&s->grid[1]);
    }
    return bench_time() - start;
}

/* ---- what they work on ---- */

static long square(long side)
{
    return side * side;
}

/* Seven tenths of the second cache, or of BENCH_ROWS_MIB, in all arrays together, rows of
 * whole vectors: shorter ones in a small cache, since a box of few rows would measure how
 * launches begin. */
static rows_grid shape(const setting *s)
{
    const char *mib = getenv("BENCH_ROWS_MIB");
    const long cache =
        mib != NULL ? strtol(mib, NULL, 10) << 20 : sysconf(_SC_LEVEL2_CACHE_SIZE);
    const long bytes = (cache > 0 ? cache : 1 << 20) / 10 * 7 / s->arrays;
    const long elements = bytes / (long)sizeof(float);
    long row = s->dims == 2 ? 1024 : 256;

    while (s->dims == 3 && row > 64 && elements / row < square(2 * s->reach + ENOUGH)) {
        row /= 2;
    }
    const long rows = elements / row;
    const long side = (long)sqrt((double)rows);

    return s->dims == 2
               ? (rows_grid){.ni = 1, .nj = rows, .nk = row, .reach = s->reach}
               : (rows_grid){.ni = side, .nj = side, .nk = row, .reach = s->reach};
}

static float start_of(int array, long at)
{
    const float noise = (float)(at * 2654435761U % 1000) / 1000;

    return array < 2 ? noise : array == 2 ? 0.01f * noise : 0.999f;
}

static void set_up(setting *s)
{
    static const char *const names[ARRAYS] = {"into", "from", "speed", "damp"};
    const rows_grid g = shape(s);
    const long count = g.ni * g.nj * g.nk;
    const hit_domain all =
        s->dims == 2 ? hit_domain_of(g.nj, g.nk) : hit_domain_of(g.ni, g.nj, g.nk);
    hit_layout *layout = NULL;

    s->inner = hit_domain_grow(all, -s->reach);
    HIT_MUST(hit_layout_create(s->hit, all, "block", &layout));
    for (int a = 0; a < s->arrays; a++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, names[a], &s->tile[a]));
        for (int v = 0; v < 2; v++) {
            void *memory = NULL;

            HIT_MUST(hit_memory_take(sizeof(float) * (size_t)count, "array", &memory));
            s->array[v][a] = memory;
            for (long at = 0; at < count; at++) {
                s->array[v][a][at] = start_of(a, at);
            }
        }
        HIT_MUST(hit_tile_scatter(s->tile[a], 0, s->array[0][a]));
    }
    hit_layout_destroy(&layout);
    for (int v = 0; v < 2; v++) {
        float *const *array = s->array[v];

        s->grid[v] = g;
        s->grid[v].into = s->grid[v].hz = array[0];
        s->grid[v].from = s->grid[v].ex = array[1];
        s->grid[v].speed = s->grid[v].ey = array[2];
        s->grid[v].damp = array[3];
    }
}

/* Compilers may contract operations differently: equal but for rounding. */
static void compare(const setting *s, float *const other[])
{
    const rows_grid *g = &s->grid[0];

    for (int t = 0; t < s->arrays; t++) {
        hit_view view;

        HIT_MUST(hit_tile_map(s->tile[t], 0, HIT_READ, &view));
        for (long at = 0; at < g->ni * g->nj * g->nk; at++) {
            const float a = ((const float *)view.data)[at];

            if (!(fabsf(a - other[t][at]) <= 1e-3f * (1 + fabsf(a)))) {
                bench_stop(1, s->name, "the results differ");
            }
        }
    }
}

static void tear_down(setting *s)
{
    for (int a = 0; a < ARRAYS; a++) {
        hit_tile_destroy(&s->tile[a]);
        for (int v = 0; v < 2; v++) {
            void *memory = s->array[v][a];

            hit_memory_release(&memory);
            s->array[v][a] = NULL;
        }
    }
}

static void measure(setting *s)
{
    static double seconds[3][BENCH_ROUNDS];
    const int rounds = bench_rounds(ROUNDS);
    char text[64];

    set_up(s);
    const bench_turn turn[] = {{run_ours, s}, {run_plain, s}, {run_hand, s}};

    bench_turns(turn, s->hand != NULL ? 3 : 2, rounds, seconds);
    const rows_grid *g = &s->grid[0];
    const double cells = (double)(g->nj - 2 * g->reach) * (double)(g->nk - 2 * g->reach) *
                         (double)(s->dims == 2 ? 1 : g->ni - 2 * g->reach) * TIMES;

    (void)snprintf(text, sizeof(text), "rows %s", s->name);
    bench_ratio(text, seconds[0], seconds[1], rounds);
    bench_rates(text, seconds[0], rounds, cells / 1e9, "Gcell/s");
    compare(s, s->array[0]);
    if (s->hand != NULL) {
        (void)snprintf(text, sizeof(text), "rows %s by hand", s->name);
        bench_ratio(text, seconds[0], seconds[2], rounds);
        compare(s, s->array[1]);
    }
    tear_down(s);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int dims;
        long reach;
        int arrays;
        rows_step *plain;
    } all[] = {{"heat", 2, 1, 2, rows_plain_heat},
               {"wave", 2, 4, 4, rows_plain_wave},
               {"fdtd", 2, 1, 3, rows_plain_fdtd},
               {"stencil7", 3, 1, 2, rows_plain_stencil7},
               {"wave3", 3, 4, 3, rows_plain_wave3}};
    hit_context *hit = NULL;
    int found = 0;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &hit));
    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF)); /* as the loop: step by step */
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        setting s = {.hit = hit,
                     .name = all[k].name,
                     .dims = all[k].dims,
                     .reach = all[k].reach,
                     .arrays = all[k].arrays,
                     .plain = all[k].plain,
                     .hand = rows_hand_of(all[k].name)};

        if (argc > 1 && strcmp(argv[1], all[k].name) != 0) continue;
        measure(&s);
        found++;
    }
    hit_close(&hit);
    if (found == 0) bench_stop(1, "rows", "expected heat, wave, fdtd, stencil7 or wave3");
    return 0;
}
