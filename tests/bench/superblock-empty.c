/* SPDX-License-Identifier: MIT
 * What a superblock costs beside its work: an empty kernel on tiles that stay on the
 * device, in a chain (each launch reads what the one before wrote) and on tiles in turn;
 * beside as many empty tasks of StarPU, where there is one: in a chain by one variable,
 * and without any data. One thread runs kernels, and one runs tasks. */
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/bench/starpu_side.h"

#include <stdio.h>

enum {
    LAUNCHES = 20000,
    PAIRS = 8
};

extern const hit_kernel empty;

typedef struct setting {
    hit_context *hit;
    hit_domain one;
    hit_tile *tile[2 * PAIRS];
} setting;

static double run_chain(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < LAUNCHES; t++) {
        HIT_MUST(hit_launch(s->hit, &empty, s->one, s->tile[t % 2], s->tile[(t + 1) % 2],
                            HIT_VALUE(0.5f)));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

static double run_independent(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < LAUNCHES; t++) {
        const int pair = t % PAIRS;

        HIT_MUST(hit_launch(s->hit, &empty, s->one, s->tile[2 * pair],
                            s->tile[2 * pair + 1], HIT_VALUE(0.5f)));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

static void measure(setting *s, const char *name, bench_variant ours,
                    starpu_empty *theirs, bool beside)
{
    const bench_turn turn[2] = {{ours, s}, {starpu_side_empty, theirs}};
    double seconds[2][BENCH_ROUNDS];
    char title[64];

    bench_turns(turn, beside ? 2 : 1, BENCH_ROUNDS, seconds);
    bench_times(name, seconds[0], BENCH_ROUNDS, 1e6, "microseconds");
    if (!beside) return;
    snprintf(title, sizeof(title), "%s-starpu", name);
    bench_times(title, seconds[1], BENCH_ROUNDS, 1e6, "microseconds");
    snprintf(title, sizeof(title), "%s-beside-starpu", name);
    bench_ratio(title, seconds[0], seconds[1], BENCH_ROUNDS);
}

static void set_up(setting *s)
{
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(s->hit, hit_domain_of(3, 3), "block", &layout));
    s->one = hit_domain_grow(hit_domain_of(3, 3), -1);
    for (int k = 0; k < 2 * PAIRS; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "t", &s->tile[k]));
    }
    hit_layout_destroy(&layout);
}

int main(int argc, char **argv)
{
    starpu_empty chain = {.tasks = LAUNCHES, .chain = true};
    starpu_empty independent = {.tasks = LAUNCHES};
    setting s = {0};
    bool beside;

    HIT_MUST(hit_open_with(
        &argc, &argv, &(hit_options){.devices = "host:memory=1MiB:threads=1"}, &s.hit));
    set_up(&s);
    beside = starpu_side_open("superblock-empty", 1);
    measure(&s, "superblock-chain", run_chain, &chain, beside);
    measure(&s, "superblock-independent", run_independent, &independent, beside);
    if (beside) starpu_side_close();
    for (int k = 0; k < 2 * PAIRS; k++) {
        hit_tile_destroy(&s.tile[k]);
    }
    hit_close(&s.hit);
    return 0;
}
