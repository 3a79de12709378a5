/* SPDX-License-Identifier: MIT
 * heat on two devices of one process against one device with as many threads: in place,
 * and staged, where the rows at the cut cross at every step. Two devices of which one is
 * three times slower (asleep) find their shares, against those shares as given, and
 * against equal ones. Chains on two such devices are taken against the same launches one
 * after the other, which find their shares as well: in place, in little memory, and in
 * little memory beside a device in place. What a launch over two devices costs is taken
 * on a plate with two rows. */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"

#include <string.h>

enum {
    SIZE = 4096,
    STEPS = 4,
    CHAINED = 2048, /* rows and columns of the plate of chains */
    CHAINED_STEPS = 64,
    LAUNCHES = 2000
};

#define SLOW_AND_FAST(slow, fast)                                                        \
    "host:threads=1:slow=3:share=auto" slow "+host:threads=1" fast
#define UNLIKE(share) "host:threads=1:slow=4:share=" share "+host:threads=1:slow=12"

typedef struct plate {
    hit_context *hit;
    hit_domain inner;
    hit_tile *now;
    hit_tile *next;
} plate;

typedef struct setting {
    plate two;
    plate one;
    hit_index size;
    int steps;
} setting;

static const float c = 0.1f;

static double run_on(plate *p, int steps)
{
    const double start = bench_time();

    for (int t = 0; t < steps; t++) {
        HIT_MUST(
            hit_launch(p->hit, &heat_float, p->inner, p->next, p->now, HIT_VALUE(c)));
        hit_tile_swap(&p->now, &p->next);
    }
    HIT_MUST(hit_wait(p->hit));
    return bench_time() - start;
}

static double run_two(void *context)
{
    setting *s = context;

    return run_on(&s->two, s->steps) / s->steps;
}

static double run_one(void *context)
{
    setting *s = context;

    return run_on(&s->one, s->steps) / s->steps;
}

static void make_tile(hit_layout *layout, const char *name, hit_tile **tile)
{
    hit_view view;
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, name, tile));
    HIT_MUST(hit_tile_map(*tile, 0, HIT_WRITE, &view));
    for (bool go = hit_domain_first(&view.domain, x); go;
         go = hit_domain_next(&view.domain, x)) {
        HIT_AT(view, float, x[0], x[1]) = (float)((7 * x[0] + x[1]) % 1000) / 1000;
    }
}

static void open_plate(const char *devices, hit_index rows, hit_index columns, plate *p)
{
    const hit_domain whole = hit_domain_of(rows, columns);
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    HIT_MUST(hit_chain(p->hit, HIT_CHAIN_OFF));
    p->inner = hit_domain_grow(whole, -1);
    HIT_MUST(hit_layout_create(p->hit, whole, "block", &layout));
    make_tile(layout, "now", &p->now);
    make_tile(layout, "next", &p->next);
    hit_layout_destroy(&layout);
}

static void close_plate(plate *p)
{
    hit_tile_destroy(&p->now);
    hit_tile_destroy(&p->next);
    hit_close(&p->hit);
}

/* Both have done as many steps. */
static void compare(const char *name, const setting *s)
{
    hit_view two;
    hit_view one;

    HIT_MUST(hit_tile_map(s->two.now, 0, HIT_READ, &two));
    HIT_MUST(hit_tile_map(s->one.now, 0, HIT_READ, &one));
    if (memcmp(two.data, one.data, sizeof(float) * (size_t)(s->size * s->size)) != 0) {
        bench_stop(1, name, "the results differ");
    }
}

/* Chains on the devices, and none. */
static void try_chain(const char *name, const char *devices)
{
    setting s = {.size = CHAINED, .steps = CHAINED_STEPS};

    open_plate(devices, CHAINED, CHAINED, &s.two);
    open_plate(devices, CHAINED, CHAINED, &s.one);
    HIT_MUST(hit_chain(s.two.hit, HIT_CHAIN_ANY));
    for (int k = 0; k < 4; k++) { /* they find their shares, and how blocks are run */
        (void)run_two(&s);
        (void)run_one(&s);
    }
    bench_pair(name, run_two, run_one, &s, true);
    compare(name, &s);
    close_plate(&s.two);
    close_plate(&s.one);
}

static void try_pair(const char *name, const char *two, const char *one)
{
    setting s = {.size = SIZE, .steps = STEPS};

    open_plate(two, SIZE, SIZE, &s.two);
    open_plate(one, SIZE, SIZE, &s.one);
    bench_pair(name, run_two, run_one, &s, true);
    compare(name, &s);
    close_plate(&s.two);
    close_plate(&s.one);
}

int main(int argc, char **argv)
{
    setting small = {.steps = LAUNCHES};
    hit_context *base = NULL; /* keeps MPI open */

    HIT_MUST(
        hit_open_with(&argc, &argv, &(hit_options){.devices = "host:threads=1"}, &base));
    try_pair("devices-in-place", "host:threads=1+host:threads=1", "host:threads=2");
    try_pair("devices-staged", "host:staged:threads=1+host:staged:threads=1",
             "host:staged:threads=2");
    try_pair("devices-found", UNLIKE("auto"), UNLIKE("3"));
    try_pair("devices-found-beside-even", UNLIKE("auto"), UNLIKE("1"));
    try_chain("devices-chain-in-place", SLOW_AND_FAST("", ""));
    try_chain("devices-chain-staged", SLOW_AND_FAST(":memory=4MiB", ":memory=4MiB"));
    try_chain("devices-chain-mixed", SLOW_AND_FAST(":memory=4MiB", ""));
    open_plate("host:threads=1+host:threads=1", 4, 4, &small.two);
    bench_value("devices-launch", run_two, &small, 1e6, "microseconds");
    close_plate(&small.two);
    hit_close(&base);
    return 0;
}
