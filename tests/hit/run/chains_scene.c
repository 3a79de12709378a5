/* SPDX-License-Identifier: MIT
 * What tests of chains work on. */
#include "tests/hit/run/chains_scene.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By where the element is, on any process. */
static float number_of(const hit_index at[], int dims)
{
    hit_index sum = 0;

    for (int d = 0; d < dims; d++) {
        sum = sum * 41 + at[d];
    }
    return (float)(sum * 37 % 101) / 7;
}

static void fill(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    HIT_FOR_EACH (at, view.domain) {
        if (view.size_bytes == sizeof(double)) {
            *(double *)hit_view_at(&view, at) = (double)number_of(at, view.domain.dims);
        } else {
            *(float *)hit_view_at(&view, at) = number_of(at, view.domain.dims);
        }
    }
}

void chains_make_tiles(chains_scene *s, hit_domain all, hit_type type)
{
    static const char *const name[] = {"a", "b", "c"};
    hit_layout *layout = NULL;

    s->all = all;
    s->inner = hit_domain_grow(all, -2);
    HIT_MUST(hit_layout_create(s->hit, all, s->layout, &layout));
    for (int k = 0; k < CHAINS_TILES; k++) {
        HIT_MUST(hit_tile_create(layout, type, name[k], &s->tile[k]));
        fill(s->tile[k]);
    }
    hit_layout_destroy(&layout);
}

const hit_choice chains_blocked = {.steps = 7, .width = {4, 6, 5, 3}};

chains_scene chains_open(const hit_choice *choice, int threads)
{
    return chains_open_over(choice, threads, "single", CHAINS_N);
}

static chains_scene open_host(const hit_choice *choice, const hit_options *options,
                              const char *layout, hit_index extent)
{
    chains_scene s = {.layout = layout};

    HIT_MUST(hit_open_with(NULL, NULL, options, &s.hit));
    s.hit->launcher->chain_choice = choice;
    chains_make_tiles(&s, hit_domain_of(extent, extent), HIT_FLOAT);
    return s;
}

chains_scene chains_open_over(const hit_choice *choice, int threads, const char *layout,
                              hit_index extent)
{
    chains_scene s = open_host(
        choice, &(hit_options){.devices = "host", .threads = threads}, layout, extent);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    return s;
}

chains_scene chains_open_quiet(const hit_choice *choice, const char *layout,
                               hit_index extent)
{
    return open_host(choice, &(hit_options){.devices = "host", .threads = 1}, layout,
                     extent);
}

chains_scene chains_open_on(const hit_choice *choice, const char *devices,
                            const char *layout, hit_index extent)
{
    return open_host(choice, &(hit_options){.devices = devices}, layout, extent);
}

chains_scene chains_open_over_staged(size_t memory_bytes, int threads, const char *layout,
                                     hit_index extent)
{
    chains_scene s = open_host(
        NULL, &(hit_options){.device_memory_bytes = memory_bytes, .threads = threads},
        layout, extent);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    return s;
}

chains_scene chains_open_several(int devices, size_t memory_bytes, int threads,
                                 const char *layout, hit_index extent)
{
    char text[300];
    size_t used = 0;

    for (int d = 0; d < devices; d++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "%shost:threads=%d:memory=%zu", d > 0 ? "+" : "",
                                 threads, memory_bytes);
        ck_assert_uint_lt(used, sizeof(text));
    }
    return chains_open_on(NULL, text, layout, extent);
}

/* Of a device: "host:threads=2:memory=4000:share=3:slow=2". */
static size_t add_unlike(hit_random *random, size_t memory_bytes, int threads, char *text,
                         size_t size)
{
    size_t used = (size_t)snprintf(text, size, "host:threads=%d", threads);

    if (memory_bytes > 0 && hit_random_index(random, 0, 3) > 0) {
        used += (size_t)snprintf(text + used, size - used, ":memory=%zu", memory_bytes);
    }
    if (hit_random_index(random, 0, 3) > 0) {
        used += (size_t)snprintf(text + used, size - used, ":share=%d",
                                 (int)hit_random_index(random, 1, 5));
    }
    if (hit_random_index(random, 0, 3) == 0) {
        used += (size_t)snprintf(text + used, size - used, ":slow=2");
    }
    return used;
}

chains_scene chains_open_unlike(uint64_t seed, int devices, size_t memory_bytes,
                                int threads, const char *layout, hit_index extent)
{
    hit_random random = {seed};
    char text[600];
    size_t used = 0;

    for (int d = 0; d < devices; d++) {
        if (d > 0) text[used++] = '+';
        used +=
            add_unlike(&random, memory_bytes, threads, text + used, sizeof(text) - used);
        ck_assert_uint_lt(used + 20, sizeof(text));
    }
    if (hit_random_index(&random, 0, 1) > 0) {
        (void)snprintf(text + used, sizeof(text) - used, "+host:threads=1:share=auto");
    }
    return chains_open_on(NULL, text, layout, extent);
}

chains_scene chains_open_staged(size_t memory_bytes, int threads)
{
    chains_scene s = {.layout = "single"};

    HIT_MUST(hit_open_with(
        NULL, NULL,
        &(hit_options){.device_memory_bytes = memory_bytes, .threads = threads}, &s.hit));
    chains_make_tiles(&s, hit_domain_of(4 * CHAINS_N, CHAINS_N), HIT_FLOAT);
    return s;
}

void chains_drop_tiles(chains_scene *s)
{
    for (int k = 0; k < CHAINS_TILES; k++) {
        hit_tile_destroy(&s->tile[k]);
    }
}

void chains_close(chains_scene *s)
{
    chains_drop_tiles(s);
    hit_close(&s->hit);
}

void chains_place_nothing(chains_scene *s)
{
    s->hit->stations->keeper = (hit_keeper){.self = NULL};
}

uint64_t chains_chained(const chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.chained;
}

void chains_launch_star(chains_scene *s, hit_tile *next, hit_tile *now, int t)
{
    HIT_MUST(hit_launch(s->hit, &star, s->inner, next, now, HIT_VALUE((float)t)));
}

void chains_run_star(chains_scene *s)
{
    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static bool equal(const hit_view *x, const hit_view *y)
{
    hit_index at[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&x->domain, at); more;
         more = hit_domain_next(&x->domain, at)) {
        if (memcmp(hit_view_at(x, at), hit_view_at(y, at), x->size_bytes) != 0) {
            return false;
        }
    }
    return true;
}

void chains_expect_equal(chains_scene *a, chains_scene *b, const char *name)
{
    uint64_t unlike[CHAINS_TILES] = {0};

    for (int k = 0; k < CHAINS_TILES; k++) {
        hit_view x;
        hit_view y;

        HIT_MUST(hit_tile_map(a->tile[k], 0, HIT_READ, &x));
        HIT_MUST(hit_tile_map(b->tile[k], 0, HIT_READ, &y));
        unlike[k] = !equal(&x, &y);
    }
    /* a process that left the test alone would let the others wait */
    HIT_MUST(hit_comm_sum_u64(b->hit->comm, unlike, CHAINS_TILES));
    for (int k = 0; k < CHAINS_TILES; k++) {
        ck_assert_msg(unlike[k] == 0, "%s: tile %d differs on %d processes", name, k,
                      (int)unlike[k]);
    }
}

int chains_cases(int cases)
{
    const char *text = getenv("HIT_CHAINS");

    if (text != NULL) return atoi(text);
    return hit_random_is_slow() ? cases / 2 : cases;
}
