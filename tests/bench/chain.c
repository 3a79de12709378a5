/* SPDX-License-Identifier: MIT
 * Programs of many steps, blocked in time and one launch after the other, in turn, on one
 * process with 2 threads: `chain` measures all of them, `chain fdtd` one. The 5-point
 * average is also beside a time-blocked loop that was written by hand. What the first
 * rounds find fastest is kept: only what comes afterwards counts. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/chain_plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel average5_float, average5_double, fdtd_x, fdtd_y, fdtd_z, wave3,
    lattice, residual;

enum {
    ROUNDS = 7,
    TILES = 4,
    WARM = 3 /* runs that do not count: sizes are tried */
};

typedef struct field {
    hit_domain all;
    hit_domain inner;
    hit_tile *tile[TILES];
    hit_tile *most; /* the residual */
} field;

typedef void step(hit_context *hit, field *f, int t);

/* ---- steps ---- */

static void step_pair(hit_context *hit, field *f, const hit_kernel *kernel)
{
    HIT_MUST(hit_launch(hit, kernel, f->inner, f->tile[1], f->tile[0]));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

static void step_average_float(hit_context *hit, field *f, int t)
{
    (void)t;
    step_pair(hit, f, &average5_float);
}

/* Beyond each side is the other one. */
static void step_periodic(hit_context *hit, field *f, int t)
{
    (void)t;
    HIT_MUST(hit_launch(hit, &average5_float, f->all, f->tile[1], f->tile[0]));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

static void step_average_double(hit_context *hit, field *f, int t)
{
    (void)t;
    step_pair(hit, f, &average5_double);
}

static void step_float(hit_context *hit, field *f, const hit_kernel *kernel)
{
    HIT_MUST(hit_launch(hit, kernel, f->inner, f->tile[1], f->tile[0], HIT_VALUE(0.1f)));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

static void step_double(hit_context *hit, field *f, const hit_kernel *kernel)
{
    HIT_MUST(hit_launch(hit, kernel, f->inner, f->tile[1], f->tile[0], HIT_VALUE(0.1)));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

static void step_heat_float(hit_context *hit, field *f, int t)
{
    (void)t;
    step_float(hit, f, &heat_float);
}

/* With a residual that nothing reads before the end. */
static void step_residual(hit_context *hit, field *f, int t)
{
    (void)t;
    step_float(hit, f, &heat_float);
    HIT_MUST(hit_launch(hit, &residual, f->inner, f->most, f->tile[0], f->tile[1]));
}

static void step_heat_double(hit_context *hit, field *f, int t)
{
    (void)t;
    step_double(hit, f, &heat_double);
}

static void step_stencil7_float(hit_context *hit, field *f, int t)
{
    (void)t;
    step_float(hit, f, &stencil7_float);
}

static void step_stencil7_double(hit_context *hit, field *f, int t)
{
    (void)t;
    step_double(hit, f, &stencil7_double);
}

static void step_fdtd(hit_context *hit, field *f, int t)
{
    (void)t;
    HIT_MUST(hit_launch(hit, &fdtd_y, f->inner, f->tile[0], f->tile[2]));
    HIT_MUST(hit_launch(hit, &fdtd_x, f->inner, f->tile[1], f->tile[2]));
    HIT_MUST(hit_launch(hit, &fdtd_z, f->inner, f->tile[2], f->tile[1], f->tile[0]));
}

/* The third tile is the velocity, the last one the damping: none. */
static void step_wave(hit_context *hit, field *f, int t)
{
    hit_index centre[2];
    hit_wave_shot shot = {.radius = 4, .sample = (float)(t % 16) / 16 - 0.5f};

    for (int d = 0; d < 2; d++) {
        shot.centre[d] = centre[d] = hit_sig_count(f->all.sig[d]) / 2;
    }
    HIT_MUST(hit_launch(hit, &wave_float, f->inner, f->tile[1], f->tile[0], f->tile[2],
                        f->tile[3]));
    HIT_MUST(hit_launch(hit, &wave_source_float,
                        hit_domain_grow(hit_domain_box(2, centre, centre), 4), f->tile[1],
                        HIT_VALUE(shot)));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

/* Without neighbours: what a launch wrote is in the cache for the next one. */
static void step_vectors(hit_context *hit, field *f, int t)
{
    (void)t;
    HIT_MUST(
        hit_launch(hit, &vector_add_float, f->all, f->tile[2], f->tile[0], f->tile[1]));
    HIT_MUST(hit_launch(hit, &scale_float, f->all, f->tile[2], HIT_VALUE(0.5f)));
    HIT_MUST(
        hit_launch(hit, &axpy_float, f->all, f->tile[0], f->tile[2], HIT_VALUE(0.01f)));
}

static void step_wave3(hit_context *hit, field *f, int t)
{
    (void)t;
    HIT_MUST(hit_launch(hit, &wave3, f->inner, f->tile[1], f->tile[0], f->tile[2]));
    hit_tile_swap(&f->tile[0], &f->tile[1]);
}

static void step_lattice(hit_context *hit, field *f, int t)
{
    (void)t;
    step_pair(hit, f, &lattice);
}

/* ---- programs ---- */

typedef void by_hand(void *now, void *next, long n, int steps);

static void average_by_hand_float(void *now, void *next, long n, int steps)
{
    chain_plain_float(now, next, n, steps);
}

static void average_by_hand_double(void *now, void *next, long n, int steps)
{
    chain_plain_double(now, next, n, steps);
}

typedef struct program {
    const char *name;
    step *run;
    by_hand *plain; /* or NULL */
    int dims;
    hit_index size; /* of each side */
    int reach;
    hit_kind kind;
    int steps;
    float third; /* what the third tile holds; 0: as the others */
    int cell;    /* components, in a dimension before the others; 0: there is none */
} program;

static const program programs[] = {
    {"average5-float", step_average_float, average_by_hand_float, 2, 8192, 1,
     HIT_KIND_FLOAT, 100, 0, 0},
    {"average5-double", step_average_double, average_by_hand_double, 2, 8192, 1,
     HIT_KIND_DOUBLE, 100, 0, 0},
    {"heat-float", step_heat_float, NULL, 2, 8192, 1, HIT_KIND_FLOAT, 100, 0, 0},
    {"heat-double", step_heat_double, NULL, 2, 8192, 1, HIT_KIND_DOUBLE, 100, 0, 0},
    {"residual", step_residual, NULL, 2, 4096, 1, HIT_KIND_FLOAT, 60, 0, 0},
    {"stencil7-float", step_stencil7_float, NULL, 3, 384, 1, HIT_KIND_FLOAT, 40, 0, 0},
    {"stencil7-double", step_stencil7_double, NULL, 3, 384, 1, HIT_KIND_DOUBLE, 40, 0, 0},
    {"fdtd", step_fdtd, NULL, 2, 4096, 1, HIT_KIND_FLOAT, 60, 0, 0},
    {"wave", step_wave, NULL, 2, 4096, 4, HIT_KIND_FLOAT, 60, 0.2f, 0},
    {"wave3", step_wave3, NULL, 3, 320, 4, HIT_KIND_FLOAT, 24, 0.2f, 0},
    {"periodic", step_periodic, NULL, 2, 4096, 1, HIT_KIND_FLOAT, 200, 0, 0},
    {"vectors", step_vectors, NULL, 1, 1 << 25, 0, HIT_KIND_FLOAT, 20, 0, 0},
    {"lattice", step_lattice, NULL, 2, 1536, 1, HIT_KIND_FLOAT, 40, 0, 9},
};

/* What the variants are given: the same numbers, which go through the same steps. */
typedef struct setting {
    hit_context *hit;
    const program *of;
    field blocked;
    field one_by_one;
    char *plain[2];
} setting;

static hit_type type_of(const program *of)
{
    return of->kind == HIT_KIND_DOUBLE ? HIT_DOUBLE : HIT_FLOAT;
}

/* Between 0 and 1, whatever the place. */
static void fill(void *data, hit_kind kind, hit_index count, float all)
{
    for (hit_index k = 0; k < count; k++) {
        const double x = all != 0 ? (double)all : (double)(k * 37 % 1009) / 1009;

        if (kind == HIT_KIND_DOUBLE) {
            ((double *)data)[k] = x;
        } else {
            ((float *)data)[k] = (float)x;
        }
    }
}

static field make_field(hit_context *hit, const program *of)
{
    const int first = of->cell > 0;
    field made = {.all = {.dims = first + of->dims}, .inner = {.dims = of->dims}};
    hit_layout *layout = NULL;

    if (first) made.all.sig[0] = hit_sig_make(0, of->cell - 1, 1);
    for (int d = 0; d < of->dims; d++) {
        made.inner.sig[d] = made.all.sig[first + d] = hit_sig_make(0, of->size - 1, 1);
    }
    made.inner = hit_domain_grow(made.inner, -of->reach);
    HIT_MUST(hit_layout_create(hit, made.all, "block", &layout));
    for (int k = 0; k < TILES; k++) {
        hit_view view;

        HIT_MUST(hit_tile_create(layout, type_of(of), "field", &made.tile[k]));
        for (int d = 0; d < of->dims && of->run == step_periodic; d++) {
            HIT_MUST(hit_tile_set_boundary(made.tile[k], d, HIT_BOUNDARY_PERIODIC, NULL));
        }
        HIT_MUST(hit_tile_map(made.tile[k], 0, HIT_WRITE, &view));
        fill(view.data, of->kind, hit_domain_count(&made.all),
             k == 3   ? 1
             : k == 2 ? of->third
                      : 0);
    }
    hit_layout_destroy(&layout);
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(1), "single", HIT_FLOAT, "most", &made.most));
    return made;
}

static double run(setting *s, field *f, int most)
{
    const double start = bench_time();

    HIT_MUST(hit_chain(s->hit, most));
    for (int t = 0; t < s->of->steps; t++) {
        s->of->run(s->hit, f, t);
    }
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_blocked(void *context)
{
    setting *s = context;

    return run(s, &s->blocked, HIT_CHAIN_ANY);
}

static double run_one_by_one(void *context)
{
    setting *s = context;

    return run(s, &s->one_by_one, HIT_CHAIN_OFF);
}

static double run_plain(void *context)
{
    setting *s = context;
    const double start = bench_time();

    s->of->plain(s->plain[0], s->plain[1], (long)s->of->size, s->of->steps);
    return bench_time() - start;
}

static size_t bytes_of(const setting *s)
{
    return (size_t)hit_domain_count(&s->blocked.all) * type_of(s->of).size_bytes;
}

/* Nearly: where a row ends a compiler may round otherwise than within it. */
static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * (1 + fabs(b));
}

static bool same(const setting *s, const char *a, const char *b)
{
    const hit_index count = hit_domain_count(&s->blocked.all);
    bool good = true;

    for (hit_index k = 0; k < count && good; k++) {
        good = s->of->kind == HIT_KIND_DOUBLE
                   ? near(((const double *)(const void *)a)[k],
                          ((const double *)(const void *)b)[k])
                   : near((double)((const float *)(const void *)a)[k],
                          (double)((const float *)(const void *)b)[k]);
    }
    return good;
}

static void compare(const setting *s)
{
    float most[2];

    HIT_MUST(hit_tile_get(s->blocked.most, (hit_index[]){0}, &most[0]));
    HIT_MUST(hit_tile_get(s->one_by_one.most, (hit_index[]){0}, &most[1]));
    if (!near(most[0], most[1])) bench_stop(1, s->of->name, "the residuals differ");
    for (int k = 0; k < TILES; k++) {
        hit_view a;
        hit_view b;

        HIT_MUST(hit_tile_map(s->blocked.tile[k], 0, HIT_READ, &a));
        HIT_MUST(hit_tile_map(s->one_by_one.tile[k], 0, HIT_READ, &b));
        if (!same(s, a.data, b.data) ||
            (k < 2 && s->plain[k] != NULL && !same(s, a.data, s->plain[k]))) {
            bench_stop(1, s->of->name, "the results differ");
        }
    }
}

static void measure(setting *s)
{
    const bench_turn turn[3] = {{run_blocked, s}, {run_one_by_one, s}, {run_plain, s}};
    const int variants = s->of->plain != NULL ? 3 : 2;
    const char *asked = getenv("BENCH_ROUNDS");
    const int rounds = asked != NULL && atoi(asked) > 0 ? atoi(asked) : ROUNDS;
    const double cells =
        (double)s->of->steps * (double)hit_domain_count(&s->blocked.inner);
    double seconds[3][BENCH_ROUNDS];
    char name[100];

    for (int k = 0; k < WARM; k++) {
        for (int v = 0; v < variants; v++) {
            (void)turn[v].run(s);
        }
    }
    bench_turns(turn, variants, rounds < BENCH_ROUNDS ? rounds : BENCH_ROUNDS, seconds);
    compare(s);
    (void)snprintf(name, sizeof(name), "chain %s", s->of->name);
    bench_ratio(name, seconds[0], seconds[1], rounds);
    (void)snprintf(name, sizeof(name), "chain %s one-by-one", s->of->name);
    bench_rates(name, seconds[1], rounds, cells * 1e-9, "Gcell/s");
    if (variants < 3) return;
    (void)snprintf(name, sizeof(name), "chain %s by-hand", s->of->name);
    bench_ratio(name, seconds[0], seconds[2], rounds);
}

static void measure_program(hit_context *hit, const program *of)
{
    setting s = {.hit = hit, .of = of};

    s.blocked = make_field(hit, of);
    s.one_by_one = make_field(hit, of);
    for (int k = 0; k < 2 && of->plain != NULL; k++) {
        s.plain[k] = malloc(bytes_of(&s));
        if (s.plain[k] == NULL) bench_stop(77, of->name, "there is too little memory");
        fill(s.plain[k], of->kind, hit_domain_count(&s.blocked.all), 0);
    }
    measure(&s);
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&s.blocked.tile[k]);
        hit_tile_destroy(&s.one_by_one.tile[k]);
    }
    hit_tile_destroy(&s.blocked.most);
    hit_tile_destroy(&s.one_by_one.most);
    free(s.plain[0]);
    free(s.plain[1]);
}

int main(int argc, char **argv)
{
    hit_context *hit = NULL;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=2"}, &hit));
    for (size_t k = 0; k < sizeof(programs) / sizeof(programs[0]); k++) {
        if (argc > 1 && strcmp(argv[1], programs[k].name) != 0) continue;
        measure_program(hit, &programs[k]);
    }
    hit_close(&hit);
    return 0;
}
