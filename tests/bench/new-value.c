/* SPDX-License-Identifier: MIT
 * What a launch costs whose patterns name a value, beside the same kernel with a constant
 * in its place: an empty kernel on a row of a tile, one host thread, in place. The value
 * is the same one each time, one of 1,000 in turn, or one that there was never before. */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <stdio.h>

enum {
    ROWS = 400000,
    COLUMNS = 4,
    VALUES = 1000,
    LAUNCHES = 5000,
    ROUNDS = 15
};

extern const hit_kernel empty_row, empty_at;

typedef struct setting {
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;
    hit_index next;
} setting;

static double run_constant(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int n = 0; n < LAUNCHES; n++) {
        HIT_MUST(hit_launch(s->hit, &empty_row, hit_domain_of(COLUMNS), s->y, s->x,
                            HIT_VALUE((hit_index){7})));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

static double run(setting *s, hit_index first, hit_index values)
{
    const double start = bench_time();

    for (hit_index n = 0; n < LAUNCHES; n++) {
        HIT_MUST(hit_launch(s->hit, &empty_at, hit_domain_of(COLUMNS), s->y, s->x,
                            HIT_VALUE(first + n % values)));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

static double run_same(void *context)
{
    return run(context, 7, 1);
}

static double run_turns(void *context)
{
    return run(context, 0, VALUES);
}

static double run_new(void *context)
{
    setting *s = context;

    s->next += LAUNCHES;
    return run(s, s->next, LAUNCHES);
}

int main(int argc, char **argv)
{
    static const char *const name[] = {"new-value-constant", "new-value-same",
                                       "new-value-in-turn", "new-value-new"};
    setting s = {.next = 0};
    const bench_turn turn[] = {
        {run_constant, &s}, {run_same, &s}, {run_turns, &s}, {run_new, &s}};
    double seconds[4][BENCH_ROUNDS];
    const hit_domain all = hit_domain_of(ROWS, COLUMNS);

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    HIT_MUST(hit_tile_make(s.hit, all, "block", HIT_FLOAT, "x", &s.x));
    HIT_MUST(hit_tile_make(s.hit, all, "block", HIT_FLOAT, "y", &s.y));
    bench_turns(turn, 4, ROUNDS, seconds);
    for (int k = 0; k < 4; k++) {
        bench_times(name[k], seconds[k], ROUNDS, 1e6, "microseconds");
    }
    hit_tile_destroy(&s.x);
    hit_tile_destroy(&s.y);
    hit_close(&s.hit);
    return 0;
}
