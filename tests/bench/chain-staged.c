/* SPDX-License-Identifier: MIT
 * The 5-point average on a device whose memory holds a part of its two tiles: blocked in
 * time, beside one launch after the other there, and beside one launch after the other in
 * place. `chain-staged 4096` takes another size, `chain-staged 8192 8` one memory. Bytes
 * are those that cross to the device and back. */
#include "hit/hit.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel average5_float;

enum {
    ROUNDS = 5,
    TILES = 2
};

/* The same numbers on a device of some memory. */
typedef struct place {
    hit_context *hit;
    hit_domain all;
    int most; /* launches of a chain */
    int steps;
    hit_tile *tile[TILES];
    uint64_t bytes; /* of the last run */
} place;

static void open_place(const char *devices, size_t memory_bytes, hit_index n, int most,
                       place *at)
{
    hit_layout *layout = NULL;

    *at = (place){.all = hit_domain_of(n, n), .most = most};
    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.devices = devices,
                                          .device_memory_bytes = memory_bytes,
                                          .threads = 2},
                           &at->hit));
    HIT_MUST(hit_chain(at->hit, most));
    HIT_MUST(hit_layout_create(at->hit, at->all, "block", &layout));
    for (int k = 0; k < TILES; k++) {
        hit_view view;

        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "field", &at->tile[k]));
        HIT_MUST(hit_tile_map(at->tile[k], 0, HIT_WRITE, &view));
        for (hit_index x = 0; x < n * n; x++) {
            ((float *)(void *)view.data)[x] = (float)(x * 37 % 1009) / 1009;
        }
    }
    hit_layout_destroy(&layout);
}

static void close_place(place *at)
{
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&at->tile[k]);
    }
    hit_close(&at->hit);
}

static uint64_t bytes_moved(const place *at)
{
    hit_stats stats;

    hit_context_stats(at->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

static double run(void *context)
{
    place *at = context;
    const uint64_t before = bytes_moved(at);
    const double start = bench_time();

    for (int t = 0; t < at->steps; t++) {
        HIT_MUST(hit_launch(at->hit, &average5_float, hit_domain_grow(at->all, -1),
                            at->tile[1], at->tile[0]));
        hit_tile_swap(&at->tile[0], &at->tile[1]);
    }
    HIT_MUST(hit_wait(at->hit));
    at->bytes = bytes_moved(at) - before;
    return bench_time() - start;
}

/* Nearly: where a row ends a compiler may round otherwise than within it. */
static void compare(const place *a, const place *b, const char *name)
{
    for (int k = 0; k < TILES; k++) {
        hit_view x;
        hit_view y;

        HIT_MUST(hit_tile_map(a->tile[k], 0, HIT_READ, &x));
        HIT_MUST(hit_tile_map(b->tile[k], 0, HIT_READ, &y));
        for (hit_index e = 0; e < hit_domain_count(&a->all); e++) {
            const float one = ((const float *)(const void *)x.data)[e];
            const float other = ((const float *)(const void *)y.data)[e];

            if (one - other > 1e-4f || other - one > 1e-4f) {
                bench_stop(1, name, "the results differ");
            }
        }
    }
}

/* On a device that holds the part 1 / @p part of the tiles. */
static void measure(hit_index n, int part, int steps)
{
    const size_t memory_bytes =
        TILES * sizeof(float) * (size_t)n * (size_t)n / (size_t)part;
    const int rounds = bench_rounds(ROUNDS);
    double seconds[3][BENCH_ROUNDS];
    char name[100];
    place blocked;
    place one_by_one;
    place home;

    open_place("host:staged", memory_bytes, n, HIT_CHAIN_ANY, &blocked);
    open_place("host:staged", memory_bytes, n, HIT_CHAIN_OFF, &one_by_one);
    open_place("host", 0, n, HIT_CHAIN_OFF, &home);
    blocked.steps = one_by_one.steps = home.steps = steps;
    bench_turns((const bench_turn[]){{run, &blocked}, {run, &one_by_one}, {run, &home}},
                3, rounds, seconds);
    (void)snprintf(name, sizeof(name), "chain-staged 1/%d", part);
    compare(&blocked, &home, name);
    compare(&one_by_one, &home, name);
    bench_ratio(name, seconds[0], seconds[1], rounds);
    (void)snprintf(name, sizeof(name), "chain-staged 1/%d in-place", part);
    bench_ratio(name, seconds[0], seconds[2], rounds);
    (void)snprintf(name, sizeof(name), "chain-staged 1/%d bytes", part);
    bench_figure(name, (double)one_by_one.bytes / (double)blocked.bytes,
                 "times fewer bytes");
    close_place(&blocked);
    close_place(&one_by_one);
    close_place(&home);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL;
    static const struct {
        int part;
        int steps; /* whole blocks; where little fits the other variant takes minutes */
    } memory[] = {{8, 256}, {64, 64}};
    const hit_index n = argc > 1 ? strtol(argv[1], NULL, 10) : 8192;

    if (n < 64) bench_stop(1, "chain-staged", "expected a size of at least 64");
    HIT_MUST(hit_open(&argc, &argv, &base));
    for (size_t k = 0; k < sizeof(memory) / sizeof(memory[0]); k++) {
        if (argc > 2 && strtol(argv[2], NULL, 10) != memory[k].part) continue;
        measure(n, memory[k].part, memory[k].steps);
    }
    hit_close(&base);
    return 0;
}
