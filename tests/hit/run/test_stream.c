/* SPDX-License-Identifier: MIT
 * Launches that do not fit the memory of their device: results, and the bytes that are
 * moved, which are exactly those of the plan. Tiles are large enough for the threads that
 * copy. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"
#include "tests/hit/run/resident_steps.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel blend, spread, columns;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Assertions wait for the end of a test: a process that left early would leave the others
 * in a launch. */
typedef struct stage {
    scene s;
    hit_domain box;
    field a, b, c, total;
    hit_stats before;
    int streamed; /* launches whose superblocks went in lanes */
    int squeezed;
    int summed;
} stage;

static void differ(stage *g, const char *what, uint64_t found, uint64_t expected)
{
    if (!g->s.good) return;
    g->s.good = false;
    snprintf(g->s.text + strlen(g->s.text), sizeof(g->s.text) - strlen(g->s.text),
             ": %s %llu, planned %llu", what, (unsigned long long)found,
             (unsigned long long)expected);
}

/* The plan that was used last. */
static const hit_launch_plan *last_plan(const hit_context *hit)
{
    const hit_launcher *launcher = hit->launcher;
    const hit_launch_plan *last = launcher->plan[0];

    for (int k = 1; k < launcher->plans; k++) {
        const hit_launch_plan *one = launcher->plan[k];

        if (one->recent->used > last->recent->used) last = one;
    }
    return last;
}

/* What the launch moved is what its plan says, if it did not fit as a whole. */
static void compare_bytes(stage *g)
{
    const hit_launch_plan *plan = last_plan(g->s.hit);
    uint64_t in = 0;
    uint64_t out = 0;
    hit_stats now;

    hit_context_stats(g->s.hit, &now);
    for (int k = 0; k < plan->parts; k++) {
        const hit_superblocks *superblocks = &plan->part[k].superblocks;

        if (superblocks->arena_bytes == 0) return;
        in += superblocks->plan.bytes_in;
        out += superblocks->plan.bytes_out;
        g->streamed += superblocks->buffers[0] > 0;
        g->squeezed += superblocks->buffers[0] == 0;
    }
    if (now.bytes_in - g->before.bytes_in != in) {
        differ(g, "bytes in", now.bytes_in - g->before.bytes_in, in);
    }
    if (now.bytes_out - g->before.bytes_out != out) {
        differ(g, "bytes out", now.bytes_out - g->before.bytes_out, out);
    }
    if (now.device_peak_bytes > now.device_limit_bytes) {
        differ(g, "peak", now.device_peak_bytes, now.device_limit_bytes);
    }
}

/* Nothing is on the device that would have to be sent back first. */
static void begin(stage *g)
{
    HIT_MUST(hit_tile_touch(g->a.tile, &g->a.tile->domain, HIT_READ));
    HIT_MUST(hit_tile_touch(g->b.tile, &g->b.tile->domain, HIT_READ));
    HIT_MUST(hit_tile_touch(g->c.tile, &g->c.tile->domain, HIT_READ));
    HIT_MUST(hit_tile_touch(g->total.tile, &g->total.tile->domain, HIT_READ));
    hit_context_stats(g->s.hit, &g->before);
}

static void try_blend(stage *g)
{
    begin(g);
    step_blend(&g->s, &g->box, &g->b, &g->a);
    compare_bytes(g);
}

static void try_bump(stage *g)
{
    begin(g);
    step_bump(&g->s, &g->box, &g->a);
    compare_bytes(g);
}

static void try_spread(stage *g)
{
    hit_index x[HIT_MAX_DIMS];

    begin(g);
    HIT_MUST(hit_launch(g->s.hit, &spread, g->box, g->c.tile, g->a.tile, g->b.tile));
    compare_bytes(g);
    for (bool go = hit_domain_first(&g->box, x); go; go = hit_domain_next(&g->box, x)) {
        int64_t sum = SLOT(&g->c, x[0], x[1]);

        for (hit_index k = g->box.sig[0].begin; k <= g->box.sig[0].end; k++) {
            sum += SLOT(&g->a, x[0], k) * SLOT(&g->b, k, x[1]);
        }
        SLOT(&g->c, x[0], x[1]) = sum % 1009;
    }
}

/* A sum that is cut where rows and columns do not fit. */
static void try_multiply(stage *g)
{
    const hit_launch_plan *plan;

    begin(g);
    step_multiply(&g->s, &g->box, &g->c, &g->a, &g->b);
    compare_bytes(g);
    plan = last_plan(g->s.hit);
    for (int k = 0; k < plan->parts; k++) {
        g->summed += plan->part[k].superblocks.sum.args > 0;
    }
}

static void try_columns(stage *g)
{
    hit_index x[HIT_MAX_DIMS];

    begin(g);
    HIT_MUST(hit_launch(g->s.hit, &columns, g->box, g->total.tile, g->c.tile));
    compare_bytes(g);
    memset(g->total.want, 0, sizeof(int64_t) * (size_t)g->total.count);
    for (bool go = hit_domain_first(&g->box, x); go; go = hit_domain_next(&g->box, x)) {
        SLOT(&g->total, x[1]) += SLOT(&g->c, x[0], x[1]);
    }
}

static void try_all(stage *g, hit_index n, uint64_t seed)
{
    const hit_domain row = {1, {hit_sig_make(0, n - 1, 1)}};

    g->s.random = (hit_random){seed};
    g->box = hit_domain_of(n, n);
    snprintf(g->s.text, sizeof(g->s.text), "n %lld, seed %llu", (long long)n,
             (unsigned long long)seed);
    g->a = make_field(&g->s, g->box, HIT_BOUNDARY_PERIODIC, "block");
    g->b = make_field(&g->s, g->box, HIT_BOUNDARY_NONE, "block");
    g->c = make_field(&g->s, g->box, HIT_BOUNDARY_NONE, "block");
    g->total = make_field(&g->s, row, HIT_BOUNDARY_NONE, "block");
    for (int k = 0; k < 2; k++) {
        const size_t limit = g->s.hit->device[0]->limit_bytes;

        if (limit > 500) try_blend(g);
        try_bump(g);
        try_multiply(g);
        if (limit > 500) try_spread(g); /* whole rows and columns */
        try_columns(g);
    }
    drop_field(&g->s, &g->a);
    drop_field(&g->s, &g->b);
    drop_field(&g->s, &g->c);
    drop_field(&g->s, &g->total);
}

static void open_stage(stage *g, int threads, size_t memory_bytes)
{
    memset(g, 0, sizeof(*g));
    g->s.good = true;
    HIT_MUST(hit_open_with(
        NULL, NULL,
        &(hit_options){.threads = threads, .device_memory_bytes = memory_bytes},
        &g->s.hit));
    HIT_MUST(hit_chain(g->s.hit, HIT_CHAIN_OFF)); /* a launch after the other */
}

START_TEST(small_launches_move_what_their_plans_say)
{
    static const size_t memory[] = {24, 200, 600, 1100, 3000, 5000, 9000};
    int summed = 0;
    int streamed = 0;
    int squeezed = 0;
    stage g;

    for (size_t m = 0; m < sizeof(memory) / sizeof(memory[0]); m++) {
        open_stage(&g, 1, memory[m]);
        for (uint64_t k = 0; k < 6 && g.s.good; k++) {
            try_all(&g, (hit_index)(10 + 3 * k), 50 * m + k);
        }
        hit_close(&g.s.hit);
        ck_assert_msg(g.s.good, "%zu bytes, %s", memory[m], g.s.text);
        streamed += g.streamed;
        squeezed += g.squeezed;
        summed += g.summed;
    }
    ck_assert_int_gt(streamed, 0);
    ck_assert_int_gt(squeezed, 0);
    ck_assert_int_gt(summed, 0);
}
END_TEST

START_TEST(large_launches_go_in_lanes)
{
    static const size_t memory[] = {200000, 400000};
    stage g;

    for (int threads = 1; threads <= 2; threads++) {
        for (int m = 0; m < 2; m++) {
            open_stage(&g, threads, memory[m]);
            try_all(&g, 200, 7);
            hit_close(&g.s.hit);
            ck_assert_msg(g.s.good, "%zu bytes, %s", memory[m], g.s.text);
            if (hit_size(base) == 1) ck_assert_int_eq(g.squeezed, 0);
        }
    }
}
END_TEST

/* The order of a GPU, on the host. */
START_TEST(devices_that_run_by_themselves_get_the_same_results)
{
    static const size_t memory[] = {600, 3000, 9000, 200000};
    hit_processor_ops async;
    stage g;

    for (int m = 0; m < 4; m++) {
        open_stage(&g, 1, memory[m]);
        async = *g.s.hit->device[0]->processor;
        async.async = true;
        g.s.hit->device[0]->processor = &async;
        try_all(&g, m == 3 ? 200 : 20, 70 + (uint64_t)m);
        hit_close(&g.s.hit);
        ck_assert_msg(g.s.good, "%zu bytes, %s", memory[m], g.s.text);
    }
}
END_TEST

/* |in| + |out| of a step are what has to be moved at least. */
START_TEST(ten_steps_that_do_not_fit_move_the_same_and_hardly_more_than_they_must)
{
    enum {
        N = 1000
    };
    const uint64_t least = (uint64_t)2 * N * N * 8;
    uint64_t most = 0;
    uint64_t fewest = UINT64_MAX;
    hit_stats stats;
    uint64_t last = 0;
    stage g;

    open_stage(&g, 1, 2000000);
    g.box = hit_domain_of(N, N);
    g.a = make_field(&g.s, g.box, HIT_BOUNDARY_NONE, "block");
    g.b = make_field(&g.s, g.box, HIT_BOUNDARY_NONE, "block");
    g.box = (hit_domain){2, {hit_sig_make(1, N - 2, 1), hit_sig_make(2, N - 2, 1)}};
    for (int step = 0; step < 10; step++) {
        HIT_MUST(hit_launch(g.s.hit, &blend, g.box, g.b.tile, g.a.tile));
        HIT_MUST(hit_context_stats_all(g.s.hit, &stats));
        hit_tile_swap(&g.a.tile, &g.b.tile);
        last = stats.bytes_in + stats.bytes_out - last;
        if (last > most) most = last;
        if (last < fewest) fewest = last;
        last = stats.bytes_in + stats.bytes_out;
    }
    free(g.a.want);
    free(g.b.want);
    hit_tile_destroy(&g.a.tile);
    hit_tile_destroy(&g.b.tile);
    hit_close(&g.s.hit);
    if (hit_size(base) > 4) return; /* the parts fit */
    ck_assert_uint_eq(most, fewest);
    ck_assert_uint_le(most, least + least / 50);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("stream");
    TCase *tests = tcase_create("stream");

    tcase_add_test(tests, small_launches_move_what_their_plans_say);
    tcase_add_test(tests, large_launches_go_in_lanes);
    tcase_add_test(tests, devices_that_run_by_themselves_get_the_same_results);
    tcase_add_test(
        tests, ten_steps_that_do_not_fit_move_the_same_and_hardly_more_than_they_must);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
