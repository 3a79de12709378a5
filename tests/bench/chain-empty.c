/* SPDX-License-Identifier: MIT
 * What chains cost beside the kernels: a launch on one index that is recorded and run in
 * a block of 64, one that is not recorded, a look that runs a block of 32 that was seen
 * before, the dependencies of 64 launches, and a box of a tile. One thread. On several
 * processes (chain-empty-mpi): a launch that is recorded there, in a block that needs no
 * message but the comparison of processes at its end. */
#include "hit/base/context.h"
#include "hit/chain/chain.h"
#include "hit/chain/tuner.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "patterns/transform.h"
#include "tests/bench/bench.h"

enum {
    LAUNCHES = 64 * 200,
    FLUSHES = 400,
    PLANS = 20
};

extern const hit_kernel empty;

typedef struct setting {
    hit_context *hit;
    hit_domain one;
    hit_tile *now;
    hit_tile *next;
    hit_pattern star;
    hit_pattern point;
    hit_chain_launch launch[2]; /* there and back */
    const hit_chain_launch *list[HIT_CHAIN_LAUNCHES];
    hit_skew chain;
} setting;

static double run(setting *s, int most)
{
    double start;

    HIT_MUST(hit_chain(s->hit, most));
    start = bench_time();
    for (int t = 0; t < LAUNCHES; t++) {
        HIT_MUST(hit_launch(s->hit, &empty, s->one, s->next, s->now, HIT_VALUE(0.5f)));
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

static double run_recorded(void *context)
{
    return run(context, HIT_CHAIN_ANY);
}

static double run_at_once(void *context)
{
    return run(context, HIT_CHAIN_OFF);
}

/* What waits when half a block is recorded: the block that is run is a known one. */
static double run_flushes(void *context)
{
    setting *s = context;
    double sum_s = 0;

    HIT_MUST(hit_chain(s->hit, HIT_CHAIN_ANY));
    for (int k = 0; k < FLUSHES; k++) {
        double start;

        for (int t = 0; t < HIT_CHAIN_LAUNCHES / 2; t++) {
            HIT_MUST(
                hit_launch(s->hit, &empty, s->one, s->next, s->now, HIT_VALUE(0.5f)));
            hit_tile_swap(&s->now, &s->next);
        }
        start = bench_time();
        HIT_MUST(hit_wait(s->hit));
        sum_s += bench_time() - start;
    }
    return sum_s / FLUSHES;
}

static void make_launch(setting *s, hit_domain plate, int k)
{
    hit_chain_launch *launch = &s->launch[k];
    const hit_domain inner = hit_domain_grow(plate, -1);

    *launch = (hit_chain_launch){.kernel = "average", .domain = inner, .uses = 2};
    launch->use[0] =
        (hit_chain_use){"next", k, true, &s->point, plate, inner, 4, true, 0, 0};
    launch->use[1] =
        (hit_chain_use){"now", 1 - k, false, &s->star, plate, plate, 4, false, 0, 0};
}

static void make_patterns(setting *s)
{
    hit_access access = {
        .range = {hit_range_follow(0, -1, 1), hit_range_follow(1, 0, 0)}};

    HIT_MUST(hit_pattern_init(2, 2, &s->star));
    HIT_MUST(hit_pattern_add(&s->star, &access));
    access.range[0] = hit_range_follow(0, 0, 0);
    HIT_MUST(hit_pattern_init(2, 2, &s->point));
    HIT_MUST(hit_pattern_add(&s->point, &access));
    access.range[1] = hit_range_follow(1, -1, 1);
    HIT_MUST(hit_pattern_add(&s->star, &access));
}

/* The dependencies of a chain that was not seen before. */
static double run_plan(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int k = 0; k < PLANS; k++) {
        char why[200];

        s->chain = (hit_skew){.line = 16};
        for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
            if (!hit_skew_join(&s->chain, s->list, why, sizeof(why))) {
                bench_stop(1, "chain-empty-plan", why);
            }
        }
    }
    return (bench_time() - start) / PLANS;
}

static double run_boxes(void *context)
{
    const setting *s = context;
    const hit_choice choice = {.steps = HIT_CHAIN_LAUNCHES, .width = {8, 1024}};
    const hit_tiling tiling =
        hit_choice_tiling(&choice, &s->chain, HIT_CHAIN_LAUNCHES, 1);
    const double start = bench_time();
    hit_tiling_walk walk;
    hit_domain box;
    long boxes = 0;

    hit_tiling_start(&tiling, 0, 0, &walk);
    while (hit_tiling_next(&walk, &box)) {
        boxes++;
    }
    return (bench_time() - start) / (double)boxes;
}

static void run_on_processes(setting *s)
{
    static double seconds[1][BENCH_ROUNDS];
    const bench_turn turn = {run_recorded, s};
    const int rounds = bench_rounds(BENCH_ROUNDS);

    bench_turns(&turn, 1, rounds, seconds);
    if (hit_rank(s->hit) > 0) return;
    bench_times("chain-empty-mpi", seconds[0], rounds, 1e6, "microseconds");
}

static void run_here(setting *s)
{
    bench_value("chain-empty-recorded", run_recorded, s, 1e6, "microseconds");
    bench_value("chain-empty-at-once", run_at_once, s, 1e6, "microseconds");
    bench_value("chain-empty-flush", run_flushes, s, 1e6, "microseconds");
    bench_value("chain-empty-plan", run_plan, s, 1e6, "microseconds");
    bench_value("chain-empty-box", run_boxes, s, 1e9, "nanoseconds");
}

int main(int argc, char **argv)
{
    const hit_domain plate = hit_domain_of(8192, 8192);
    const hit_choice choice = {.steps = HIT_CHAIN_LAUNCHES, .width = {8, 1024}};
    setting s = {0};
    hit_layout *layout = NULL;
    hit_index rows;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    /* parts are large enough for blocks of 64 launches, each on one index */
    rows = hit_size(s.hit) > 1 ? 2 * HIT_CHAIN_LAUNCHES * hit_size(s.hit) : 3;
    HIT_MUST(hit_layout_create(s.hit, hit_domain_of(rows, 3), "block:dims=0", &layout));
    s.one = hit_domain_grow(hit_domain_of(3, 3), -1);
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s.now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s.next));
    hit_layout_destroy(&layout);
    s.hit->launcher->chain_choice = &choice; /* however small they are */
    make_patterns(&s);
    for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
        if (l < 2) make_launch(&s, plate, l);
        s.list[l] = &s.launch[l % 2];
    }
    if (hit_size(s.hit) > 1) {
        run_on_processes(&s);
    } else {
        run_here(&s);
    }
    hit_pattern_clear(&s.star);
    hit_pattern_clear(&s.point);
    hit_tile_destroy(&s.now);
    hit_tile_destroy(&s.next);
    hit_close(&s.hit);
    return 0;
}
