/* SPDX-License-Identifier: MIT
 * Programs of others: `programs` measures all of them, `programs life` one, `programs
 * life 2` on 2 threads only, `programs life 2 memory` with one of both sizes. Each on 1
 * and on 2 threads, with arrays of a quarter of the L2 and of four times the L3, or with
 * the one size that is usual for it. Where the work of a launch takes less than 2
 * microseconds, the launches per second are what counts. */
#define _GNU_SOURCE /* the sizes of caches */

#include "tests/bench/programs.h"

#include "hit/base/alloc.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ROUNDS = 11,
    LARGE_ROUNDS = 5 /* a run takes a second or more */
};

static const bench_program *const program[] = {
    &bench_life,
    &bench_red_black,
    &bench_k_means,
    &bench_n_body,
    &bench_spmv,
    &bench_transpose,
    &bench_scan,
    &bench_histogram,
    &bench_floyd,
    &bench_lud,
    &bench_needleman_wunsch,
    &bench_durbin,
    &bench_pathfinder,
    &bench_lattice_boltzmann,
    &bench_black_scholes,
    &bench_gauss_seidel,
    &bench_alignment,
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
    int rounds;
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

hit_tile *bench_tile(hit_context *hit, hit_domain domain, hit_type type, const char *name)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, type, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

bench_scene *bench_scene_make(hit_context *hit)
{
    bench_scene *s = bench_state(sizeof(*s));

    s->hit = hit;
    return s;
}

void bench_scene_add(bench_scene *s, hit_domain domain, hit_type type,
                     double (*value)(hit_index at))
{
    const hit_index count = hit_domain_count(&domain);
    bench_both *made = &s->both[s->count++];

    made->type = type;
    made->plain = bench_array(count, type.size_bytes);
    memset(made->plain, 0, (size_t)count * type.size_bytes);
    for (hit_index at = 0; value != NULL && at < count; at++) {
        hit_type_set(type, value(at), (char *)made->plain + (size_t)at * type.size_bytes);
    }
    made->tile = bench_tile(s->hit, domain, type, "array");
    HIT_MUST(hit_tile_scatter(made->tile, 0, made->plain));
}

bool bench_scene_same(void *state)
{
    const bench_scene *s = state;
    const bench_both *result = &s->both[s->result];

    return bench_equal(result->tile, result->type, result->plain);
}

void bench_scene_destroy(void *state)
{
    bench_scene *s = state;

    for (int k = 0; k < s->count; k++) {
        hit_tile_destroy(&s->both[k].tile);
        bench_release(s->both[k].plain);
    }
    free(s);
}

double bench_random(hit_index at)
{
    const uint64_t mixed = ((uint64_t)at + 1) * 0x9E3779B97F4A7C15U;

    return (double)((mixed ^ mixed >> 29) >> 40) / (1 << 24);
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

static double launches_of(const setting *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return (double)stats.launches;
}

/* Where the @p launches of a run are many and small, their number per second is told. */
static void print(const char *name, const double ours_s[], const double plain_s[],
                  int rounds, double launches)
{
    const double small_s = 2e-6;

    if (bench_median(plain_s, rounds) < small_s * launches) {
        bench_rates(name, ours_s, rounds, 1e-6 * launches, "million launches per second");
        printf("    %.3f times as fast as plain C\n",
               bench_median(plain_s, rounds) / bench_median(ours_s, rounds));
    } else {
        bench_ratio(name, ours_s, plain_s, rounds);
    }
    printf("    %.3f ms, plain C %.3f ms\n", 1e3 * bench_median(ours_s, rounds),
           1e3 * bench_median(plain_s, rounds));
}

static void measure(setting *s, const char *size, size_t bytes)
{
    const bench_turn turn[2] = {{run_ours, s}, {run_plain, s}};
    double seconds[2][BENCH_ROUNDS];
    double launches;
    char name[100];

    s->state = s->of->create(s->hit, bytes);
    launches = -launches_of(s);
    bench_turns(turn, 2, s->rounds, seconds);
    launches = (launches + launches_of(s)) / (s->rounds + 1); /* one does not count */
    snprintf(name, sizeof(name), "programs %s %s %d", s->of->name, size, s->threads);
    if (!s->of->same(s->state)) bench_stop(1, name, "the results differ");
    print(name, seconds[0], seconds[1], s->rounds, launches);
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
            setting s = {.of = program[p],
                         .hit = hit[k],
                         .threads = place[k].threads,
                         .rounds = bench_rounds(ROUNDS)};

            if (argc > 2 && atoi(argv[2]) != s.threads) continue;
            if (s.of->size != NULL) {
                measure(&s, s.of->size, 0);
                continue;
            }
            if (argc <= 3 || strcmp(argv[3], "L2") == 0) measure(&s, "L2", small);
            s.rounds = bench_rounds(LARGE_ROUNDS);
            if (argc <= 3 || strcmp(argv[3], "memory") == 0) {
                measure(&s, "memory", large);
            }
        }
    }
    for (int k = PLACES; k-- > 0;) {
        hit_close(&hit[k]);
    }
    return 0;
}
