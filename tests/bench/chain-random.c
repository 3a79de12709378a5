/* SPDX-License-Identifier: MIT
 * Random programs of many steps: is any of them slower in chains than one launch after
 * the other? Each is measured in turn with HIT_CHAIN_OFF on one process with 2 threads,
 * on planes that no cache holds; kernels are strict, and results are equal to the bit.
 * `chain-random 7` measures the program of that seed, `chain-random 100 120` 20 of them.
 */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel average5_float, fdtd_x, fdtd_y, fdtd_z;

enum {
    N = 2048,
    TILES = 4,
    MOST = 3, /* launches of a step */
    LAUNCHES = 60,
    WARM = 4, /* runs that do not count: sizes are tried */
    ROUNDS = 7,
    PROGRAMS = 20
};

static const double slower = 0.97; /* by less: noise */

typedef struct deed {
    const hit_kernel *kernel;
    int tiles;
    int tile[3]; /* the first one is written */
    hit_domain box;
} deed;

typedef struct program {
    int deeds;
    deed deed[MOST];
    int swap[2];
    int look; /* every so many steps; 0: never */
    hit_boundary boundary;
} program;

typedef struct setting {
    hit_context *hit;
    const program *of;
    int most; /* of hit_chain() */
    hit_tile *tile[TILES];
} setting;

static int pick(hit_random *random, int low, int high)
{
    return (int)hit_random_index(random, low, high);
}

/* All, without the rim where nothing is beyond it, or a part of it. */
static hit_domain random_box(hit_random *random, hit_boundary boundary)
{
    hit_domain box =
        hit_domain_grow(hit_domain_of(N, N), boundary == HIT_BOUNDARY_NONE ? -1 : 0);

    for (int d = 0; d < 2 && pick(random, 0, 3) == 0; d++) {
        const hit_index begin = hit_random_index(random, 1, N / 2);

        box.sig[d] = hit_sig_make(begin, begin + N / 3, 1);
    }
    return box;
}

static deed random_deed(hit_random *random, hit_boundary boundary)
{
    static const struct {
        const hit_kernel *kernel;
        int tiles;
    } kind[] = {{&average5_float, 2}, {&fdtd_x, 2}, {&fdtd_y, 2}, {&fdtd_z, 3}};
    const int k = pick(random, 0, 3);
    const int first = pick(random, 0, TILES - 1);
    const int step = 2 * pick(random, 0, 1) + 1; /* each tile once */
    deed made = {.kernel = kind[k].kernel, .tiles = kind[k].tiles};

    for (int t = 0; t < made.tiles; t++) {
        made.tile[t] = (first + t * step) % TILES;
    }
    made.box = random_box(random, boundary);
    return made;
}

static program random_program(uint64_t seed)
{
    hit_random random = {seed};
    program made = {.deeds = pick(&random, 1, MOST)};

    made.boundary = pick(&random, 0, 1) == 0 ? HIT_BOUNDARY_NONE : HIT_BOUNDARY_CLAMP;
    for (int k = 0; k < made.deeds; k++) {
        made.deed[k] = random_deed(&random, made.boundary);
    }
    made.swap[0] = pick(&random, 0, TILES - 1);
    made.swap[1] = pick(&random, 0, TILES - 1);
    made.look = pick(&random, 0, 1) * pick(&random, 3, 17);
    return made;
}

static void launch(const setting *s, const deed *d)
{
    hit_tile *const to = s->tile[d->tile[0]];
    hit_tile *const from = s->tile[d->tile[1]];

    if (d->tiles == 2) {
        HIT_MUST(hit_launch(s->hit, d->kernel, d->box, to, from));
    } else {
        HIT_MUST(hit_launch(s->hit, d->kernel, d->box, to, from, s->tile[d->tile[2]]));
    }
}

static double run(void *context)
{
    setting *s = context;
    const program *p = s->of;
    const double start = bench_time();
    float seen;

    HIT_MUST(hit_chain(s->hit, s->most));
    for (int t = 0; t < LAUNCHES / p->deeds; t++) {
        for (int k = 0; k < p->deeds; k++) {
            launch(s, &p->deed[k]);
        }
        hit_tile_swap(&s->tile[p->swap[0]], &s->tile[p->swap[1]]);
        if (p->look == 0 || t % p->look != p->look - 1) continue;
        HIT_MUST(hit_tile_get(s->tile[t % TILES], (const hit_index[]){t, t}, &seen));
    }
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

/* Numbers between 1 and 2. */
static void fill(setting *s)
{
    for (int k = 0; k < TILES; k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(s->tile[k], 0, HIT_WRITE, &view));
        for (hit_index e = 0; e < (hit_index)N * N; e++) {
            ((float *)(void *)view.data)[e] = 1 + (float)(e * 37 % 1009) / 1009;
        }
    }
}

static setting open_setting(hit_context *hit, const program *of, int most)
{
    setting made = {.hit = hit, .of = of, .most = most};
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, N), "block", &layout));
    for (int k = 0; k < TILES; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "field", &made.tile[k]));
        for (int d = 0; d < 2; d++) {
            HIT_MUST(hit_tile_set_boundary(made.tile[k], d, of->boundary, NULL));
        }
    }
    hit_layout_destroy(&layout);
    fill(&made);
    return made;
}

static void compare(const setting *a, const setting *b, const char *name)
{
    for (int k = 0; k < TILES; k++) {
        hit_view x;
        hit_view y;

        HIT_MUST(hit_tile_map(a->tile[k], 0, HIT_READ, &x));
        HIT_MUST(hit_tile_map(b->tile[k], 0, HIT_READ, &y));
        if (memcmp(x.data, y.data, (size_t)N * N * sizeof(float)) != 0) {
            bench_stop(1, name, "the results differ");
        }
    }
}

/* Were most rounds slower, and those in the middle all of them? */
static bool is_slower(const double ours[], const double theirs[], int rounds)
{
    double ratio[BENCH_ROUNDS];
    int not_slower = 0;

    for (int r = 0; r < rounds; r++) {
        ratio[r] = theirs[r] / ours[r];
        not_slower += ratio[r] >= 1;
    }
    return bench_median(ratio, rounds) < slower && not_slower <= rounds / 4;
}

static bool measure(hit_context *hit, uint64_t seed)
{
    const program p = random_program(seed);
    setting blocked = open_setting(hit, &p, HIT_CHAIN_ANY);
    setting one_by_one = open_setting(hit, &p, HIT_CHAIN_OFF);
    const bench_turn turn[2] = {{run, &blocked}, {run, &one_by_one}};
    const int rounds = bench_rounds(ROUNDS);
    double seconds[2][BENCH_ROUNDS];
    char name[60];

    (void)snprintf(name, sizeof(name), "chain-random %llu", (unsigned long long)seed);
    for (int k = 0; k < WARM; k++) { /* numbers grow: from the same ones each time */
        fill(&blocked);
        (void)run(&blocked);
        fill(&one_by_one);
        (void)run(&one_by_one);
    }
    compare(&blocked, &one_by_one, name);
    fill(&blocked);
    fill(&one_by_one);
    bench_turns(turn, 2, rounds, seconds);
    bench_ratio(name, seconds[0], seconds[1], rounds);
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&blocked.tile[k]);
        hit_tile_destroy(&one_by_one.tile[k]);
    }
    return is_slower(seconds[0], seconds[1], rounds);
}

int main(int argc, char **argv)
{
    hit_context *hit = NULL;
    uint64_t first = 1;
    uint64_t end = first + PROGRAMS;
    int found = 0;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=2"}, &hit));
    if (argc > 1) first = strtoull(argv[1], NULL, 0);
    if (argc > 1) end = argc > 2 ? strtoull(argv[2], NULL, 0) : first + 1;
    for (uint64_t seed = first; seed < end; seed++) {
        found += measure(hit, seed);
    }
    bench_figure("chain-random slower", found, "programs");
    hit_close(&hit);
    return 0;
}
