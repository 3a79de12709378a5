/* SPDX-License-Identifier: MIT
 * heat, in place, on one process with 2 threads, against a hand-written OpenMP loop. Both
 * use memory on huge pages. */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/bench/heat_plain.h"

#include <string.h>

enum {
    SIZE = 8192,
    STEPS = 4
};

typedef struct setting {
    hit_context *hit;
    hit_domain inner;
    hit_tile *now;
    hit_tile *next;
    float *plain[2];
} setting;

static const float c = 0.1f;

static double run_ours(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(
            hit_launch(s->hit, &heat_float, s->inner, s->next, s->now, HIT_VALUE(c)));
        hit_tile_swap(&s->now, &s->next);
    }
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_theirs(void *context)
{
    setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < STEPS; t++) {
        float *swap = s->plain[0];

        heat_plain_threads(s->plain[1], s->plain[0], 1, SIZE - 2, SIZE, c);
        s->plain[0] = s->plain[1];
        s->plain[1] = swap;
    }
    return bench_time() - start;
}

static void set_up(setting *s)
{
    const hit_domain plate = hit_domain_of(SIZE, SIZE);
    hit_layout *layout = NULL;

    s->inner = hit_domain_grow(plate, -1);
    HIT_MUST(hit_layout_create(s->hit, plate, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &s->now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &s->next));
    hit_layout_destroy(&layout);
    for (int k = 0; k < 2; k++) {
        void *memory = NULL;

        HIT_MUST(hit_memory_take(sizeof(float) * SIZE * SIZE, "plate", &memory));
        s->plain[k] = memory;
        for (long i = 0; i < (long)SIZE * SIZE; i++) {
            s->plain[k][i] = (float)(i % 1000) / 1000;
        }
    }
    HIT_MUST(hit_tile_scatter(s->now, 0, s->plain[0]));
    HIT_MUST(hit_tile_scatter(s->next, 0, s->plain[1]));
}

static void compare(setting *s)
{
    hit_view view;

    HIT_MUST(hit_tile_map(s->now, 0, HIT_READ, &view));
    if (memcmp(view.data, s->plain[0], sizeof(float) * SIZE * SIZE) != 0) {
        bench_stop(1, "heat-in-place", "the results differ");
    }
}

int main(int argc, char **argv)
{
    setting s = {0};

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=2"}, &s.hit));
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF)); /* as the loop: step by step */
    set_up(&s);
    bench_pair("heat-in-place", run_ours, run_theirs, &s, true);
    compare(&s);
    for (int k = 0; k < 2; k++) {
        void *memory = s.plain[k];

        hit_memory_release(&memory);
    }
    hit_tile_destroy(&s.now);
    hit_tile_destroy(&s.next);
    hit_close(&s.hit);
    return 0;
}
