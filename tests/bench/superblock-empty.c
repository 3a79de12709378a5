/* SPDX-License-Identifier: MIT
 * What a superblock costs beside its work: an empty kernel on tiles that stay on the
 * device, in a chain (each launch reads what the one before wrote) and on tiles in turn.
 */
#include "hit/hit.h"
#include "tests/bench/bench.h"

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

int main(int argc, char **argv)
{
    setting s = {0};
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(
        &argc, &argv, &(hit_options){.devices = "host:memory=1MiB:threads=1"}, &s.hit));
    HIT_MUST(hit_layout_create(s.hit, hit_domain_of(3, 3), "block", &layout));
    s.one = hit_domain_grow(hit_domain_of(3, 3), -1);
    for (int k = 0; k < 2 * PAIRS; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "t", &s.tile[k]));
    }
    hit_layout_destroy(&layout);
    bench_value("superblock-chain", run_chain, &s, 1e6, "microseconds");
    bench_value("superblock-independent", run_independent, &s, 1e6, "microseconds");
    for (int k = 0; k < 2 * PAIRS; k++) {
        hit_tile_destroy(&s.tile[k]);
    }
    hit_close(&s.hit);
    return 0;
}
