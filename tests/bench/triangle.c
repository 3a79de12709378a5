/* SPDX-License-Identifier: MIT
 * Launches with HIT_WHERE() beside loops in plain C with OpenMP, on 2 threads (`triangle
 * 1`: on one): the lower triangle of a matrix in memory, one in the cache, and a band of
 * 17 elements a row. */
#include "hit/base/alloc.h"
#include "hit/hit.h"
#include "tests/bench/bench.h"
#include "tests/bench/triangle_plain.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel rank_one;

typedef struct setting {
    hit_context *hit;
    hit_index n;
    hit_index w; /* of the band; n: a triangle */
    int times;
    hit_tile *a;
    hit_tile *x;
    hit_tile *y;
    float *plain;
    float *vector;
} setting;

static double run_ours(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < s->times; t++) {
        HIT_MUST(hit_launch(s->hit, &rank_one, hit_domain_of(s->n, s->n), s->a, s->x,
                            s->y, HIT_VALUE(s->w), HIT_WHERE("i - w <= j <= i")));
    }
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_theirs(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    for (int t = 0; t < s->times; t++) {
        triangle_plain(s->plain, s->vector, s->vector, s->n, s->w);
    }
    return bench_time() - start;
}

static float *take(hit_index count)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take(sizeof(float) * (size_t)count, "array", &memory));
    memset(memory, 0, sizeof(float) * (size_t)count);
    return memory;
}

static void drop(float *array)
{
    void *memory = array;

    hit_memory_release(&memory);
}

static void measure(const char *name, setting *s)
{
    hit_view view;

    HIT_MUST(
        hit_tile_make(s->hit, hit_domain_of(s->n, s->n), "block", HIT_FLOAT, "a", &s->a));
    HIT_MUST(hit_tile_make(s->hit, hit_domain_of(s->n), "block", HIT_FLOAT, "x", &s->x));
    HIT_MUST(hit_tile_make(s->hit, hit_domain_of(s->n), "block", HIT_FLOAT, "y", &s->y));
    s->plain = take(s->n * s->n);
    s->vector = take(s->n);
    for (hit_index k = 0; k < s->n; k++) {
        s->vector[k] = (float)(k % 16); /* sums are exact */
    }
    HIT_MUST(hit_tile_scatter(s->x, 0, s->vector));
    HIT_MUST(hit_tile_scatter(s->y, 0, s->vector));
    bench_pair(name, run_ours, run_theirs, s, true);
    HIT_MUST(hit_tile_map(s->a, 0, HIT_READ, &view));
    if (memcmp(view.data, s->plain, sizeof(float) * (size_t)(s->n * s->n)) != 0) {
        bench_stop(1, name, "the results differ");
    }
    drop(s->plain);
    drop(s->vector);
    hit_tile_destroy(&s->a);
    hit_tile_destroy(&s->x);
    hit_tile_destroy(&s->y);
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 2;
    setting s = {0};
    char devices[64];

    (void)snprintf(devices, sizeof(devices), "host:threads=%d", threads);
    omp_set_num_threads(threads);
    HIT_MUST(hit_open_with(&argc, &argv, &(hit_options){.devices = devices}, &s.hit));
    s = (setting){.hit = s.hit, .n = 4096, .w = 4096, .times = 4};
    measure("triangle", &s);
    s = (setting){.hit = s.hit, .n = 512, .w = 512, .times = 400};
    measure("triangle in cache", &s);
    s = (setting){.hit = s.hit, .n = 4096, .w = 16, .times = 100};
    measure("band", &s);
    hit_close(&s.hit);
    return 0;
}
