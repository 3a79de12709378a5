/* SPDX-License-Identifier: MIT
 * What a launch costs when it has been planned before: a kernel with three arguments on
 * one index, one host thread, two tiles in turn as in a time loop. */
#include "hit/hit.h"
#include "tests/bench/bench.h"

enum {
    LAUNCHES = 20000
};

extern const hit_kernel empty;

typedef struct setting {
    hit_context *hit;
    hit_domain one;
    hit_tile *now;
    hit_tile *next;
} setting;

static double run(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < LAUNCHES; t++) {
        HIT_MUST(hit_launch(s->hit, &empty, s->one, s->next, s->now, HIT_VALUE(0.5f)));
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / LAUNCHES;
}

int main(int argc, char **argv)
{
    setting s = {0};
    hit_layout *layout = NULL;

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &s.hit));
    HIT_MUST(hit_layout_create(s.hit, hit_domain_of(3, 3), "block", &layout));
    s.one = hit_domain_grow(hit_domain_of(3, 3), -1);
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s.now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s.next));
    hit_layout_destroy(&layout);
    bench_value("launch-empty", run, &s, 1e6, "microseconds");
    hit_tile_destroy(&s.now);
    hit_tile_destroy(&s.next);
    hit_close(&s.hit);
    return 0;
}
