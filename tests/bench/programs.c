/* SPDX-License-Identifier: MIT
 * Programs of others: `programs` measures all of them, `programs life` one, `programs
 * life 2` on 2 threads only. Each on 1 and on 2 threads, with arrays of a quarter of the
 * L2 and of four times the L3, or with the one size that is usual for it. Where the work
 * of a launch takes less than 2 microseconds, the launches per second are what counts. */
#define _GNU_SOURCE /* the sizes of caches */

#include "tests/bench/programs.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ROUNDS = 11
};

static const bench_program *const program[] = {
    &bench_life,  &bench_red_black,        &bench_lud,
    &bench_floyd, &bench_needleman_wunsch, &bench_durbin,
};

static const struct {
    const char *devices;
    int threads;
} place[] = {{"host:threads=1", 1}, {"host:threads=2", 2}};

enum {
    PROGRAMS = sizeof(program) / sizeof(program[0]),
    PLACES = sizeof(place) / sizeof(place[0])
};

/* What the variants are given. */
typedef struct setting {
    const bench_program *of;
    hit_context *hit;
    void *state;
    int threads;
} setting;

void *bench_array(hit_index count, size_t size_bytes)
{
    void *memory = NULL;

    HIT_MUST(hit_memory_take((size_t)count * size_bytes, "an array", &memory));
    return memory;
}

void bench_release(void *array)
{
    hit_memory_release(&array);
}

void *bench_state(size_t size_bytes)
{
    void *state = NULL;

    HIT_MUST(hit_memory_zeroed(1, size_bytes, &state));
    return state;
}

hit_domain bench_box(hit_index a, hit_index b, hit_index c, hit_index d)
{
    return hit_domain_box(2, (hit_index[]){a, c}, (hit_index[]){b, d});
}

hit_tile *bench_part(hit_tile *tile, hit_domain domain)
{
    hit_tile *part = NULL;

    HIT_MUST(hit_tile_select(tile, domain, &part));
    return part;
}

hit_tile *bench_tile(hit_context *hit, hit_domain domain, hit_type type, const char *name)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, type, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * (1 + fabs(b));
}

bool bench_equal(hit_tile *tile, hit_type type, const void *plain)
{
    hit_view view;
    hit_index count;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    count = hit_domain_count(&view.domain);
    if (type.kind == HIT_KIND_FLOAT) {
        const float *ours = (const float *)(void *)view.data;
        const float *theirs = plain;

        while (count > 0 && near(ours[count - 1], theirs[count - 1])) {
            count--;
        }
        return count == 0;
    }
    if (type.kind == HIT_KIND_DOUBLE) {
        const double *ours = (const double *)(void *)view.data;
        const double *theirs = plain;

        while (count > 0 && near(ours[count - 1], theirs[count - 1])) {
            count--;
        }
        return count == 0;
    }
    return memcmp(view.data, plain, (size_t)count * type.size_bytes) == 0;
}

static double run_ours(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    s->of->ours(s->state);
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static double run_plain(void *context)
{
    const setting *s = context;
    const double start = bench_time();

    s->of->plain(s->state, s->threads);
    return bench_time() - start;
}

/* The launches of a run are many and small. */
static bool is_fine(const setting *s, const double plain_s[])
{
    const double most_s = 2e-6;

    return bench_median(plain_s, ROUNDS) < most_s * s->of->launches;
}

static void print(const setting *s, const char *name, const double ours_s[],
                  const double plain_s[])
{
    if (is_fine(s, plain_s)) {
        bench_rates(name, ours_s, ROUNDS, 1e-6 * s->of->launches,
                    "million launches per second");
        printf("    %.3f times as fast as plain C\n",
               bench_median(plain_s, ROUNDS) / bench_median(ours_s, ROUNDS));
    } else {
        bench_ratio(name, ours_s, plain_s, ROUNDS);
    }
    printf("    %.3f ms, plain C %.3f ms\n", 1e3 * bench_median(ours_s, ROUNDS),
           1e3 * bench_median(plain_s, ROUNDS));
}

static void measure(setting *s, const char *size, size_t bytes)
{
    const bench_turn turn[2] = {{run_ours, s}, {run_plain, s}};
    double seconds[2][BENCH_ROUNDS];
    char name[100];

    s->state = s->of->create(s->hit, bytes);
    bench_turns(turn, 2, ROUNDS, seconds);
    snprintf(name, sizeof(name), "programs %s %s %d", s->of->name, size, s->threads);
    if (!s->of->same(s->state)) bench_stop(1, name, "the results differ");
    print(s, name, seconds[0], seconds[1]);
    s->of->destroy(s->state);
}

/* The size of a cache, or what most machines have where the system does not say. */
static size_t cache_bytes(int name, size_t otherwise)
{
    const long bytes = sysconf(name);

    return bytes > 0 ? (size_t)bytes : otherwise;
}

/* Four times the L3, but several arrays of it have to fit the memory. */
static size_t large_bytes(void)
{
    const size_t wanted = 4 * cache_bytes(_SC_LEVEL3_CACHE_SIZE, (size_t)32 << 20);
    const size_t most =
        (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE) / 16;

    return wanted < most ? wanted : most;
}

int main(int argc, char **argv)
{
    const size_t small = cache_bytes(_SC_LEVEL2_CACHE_SIZE, (size_t)1 << 20) / 4;
    const size_t large = large_bytes();
    hit_context *hit[PLACES];

    for (int k = 0; k < PLACES; k++) {
        const hit_options options = {.devices = place[k].devices};

        HIT_MUST(hit_open_with(&argc, &argv, &options, &hit[k]));
    }
    for (int p = 0; p < PROGRAMS; p++) {
        if (argc > 1 && strcmp(argv[1], program[p]->name) != 0) continue;
        for (int k = 0; k < PLACES; k++) {
            setting s = {.of = program[p], .hit = hit[k], .threads = place[k].threads};

            if (argc > 2 && atoi(argv[2]) != s.threads) continue;
            if (s.of->size != NULL) {
                measure(&s, s.of->size, 0);
                continue;
            }
            measure(&s, "L2", small);
            measure(&s, "memory", large);
        }
    }
    for (int k = PLACES; k-- > 0;) {
        hit_close(&hit[k]);
    }
    return 0;
}
