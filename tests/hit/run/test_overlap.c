/* SPDX-License-Identifier: MIT
 * Launches whose messages come late: indices that need none of them run before, also
 * where these are summed up, on every second row and column, on devices with memories of
 * their own, and in superblocks. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel roughness;

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 80,
    WIDE = 240, /* for superblocks */
    FEW = 28,
    STEPS = 6
};

static const double late_s = 0.001;

static chains_scene open_scene(const char *devices, const char *layout, double held_s)
{
    chains_scene s = chains_open_on(NULL, devices, layout, EXTENT);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    hit_comm_hold(s.hit->comm, held_s);
    return s;
}

/* Do all launches that receive something run beside their messages? */
static bool all_overlap(const chains_scene *s)
{
    const hit_launcher *launcher = s->hit->launcher;

    for (int k = 0; k < launcher->plans; k++) {
        const hit_launch_plan *plan = launcher->plan[k];

        for (int u = 0; u < plan->uses; u++) {
            const hit_exchange *gather = plan->use[u].gather;

            if (gather == NULL || hit_exchange_plan(gather)->receives == 0) continue;
            if (!plan->overlaps) return false;
        }
    }
    return true;
}

static hit_index extent_of(const chains_scene *s)
{
    return hit_sig_count(s->all.sig[0]);
}

/* Every second row and column, in four boxes. */
static void run_strided(chains_scene *s)
{
    for (int k = 0; k < 4 * STEPS; k++) {
        const hit_domain box = {2,
                                {hit_sig_make(1 + k / 2 % 2, extent_of(s) - 2, 2),
                                 hit_sig_make(1 + k % 2, extent_of(s) - 2, 2)}};

        HIT_MUST(hit_launch(s->hit, &star, box, s->tile[1], s->tile[0], HIT_VALUE(0.5f)));
        if (k % 4 == 3) hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* In the order of the plain loop, of elements that are gathered. */
static double plain_roughness(const float *all)
{
    double sum = 0;

    for (int i = 0; i < EXTENT - 1; i++) {
        for (int j = 0; j < EXTENT - 1; j++) {
            const float *at = all + i * EXTENT + j;

            sum += fabs((double)at[EXTENT] - (double)at[0]) +
                   fabs((double)at[1] - (double)at[0]);
        }
    }
    return sum;
}

static double run_roughness(chains_scene *s)
{
    hit_domain box = hit_domain_of(extent_of(s) - 1, extent_of(s) - 1);
    hit_layout *layout = NULL;
    hit_tile *sum = NULL;
    double found = 0;

    HIT_MUST(hit_layout_create(s->hit, (hit_domain){0}, "single", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "sum", &sum));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(s->hit, &roughness, box, sum, s->tile[0]));
        HIT_MUST(hit_tile_gather(sum, 0, &found));
        if (k < 2) run_strided(s); /* so that the sum needs messages again */
    }
    hit_tile_destroy(&sum);
    hit_layout_destroy(&layout);
    return found;
}

static void expect_same(const char *devices, const char *layout)
{
    chains_scene late = open_scene(devices, layout, late_s);
    chains_scene soon = open_scene(devices, layout, 0);
    const double found = run_roughness(&late);
    const double again = run_roughness(&soon);
    float *all = calloc((size_t)EXTENT * EXTENT, sizeof(float));

    ck_assert_ptr_nonnull(all);
    HIT_MUST(hit_tile_gather(late.tile[0], 0, all));
    chains_expect_equal(&late, &soon, layout);
    if (hit_rank(base) == 0) {
        const double expected = plain_roughness(all);

        ck_assert_double_le(fabs(found - expected), 1e-9 * expected);
        ck_assert(memcmp(&found, &again, sizeof(found)) == 0);
    }
    ck_assert_msg(all_overlap(&late), "%s: a launch waits for its messages", layout);
    free(all);
    chains_close(&late);
    chains_close(&soon);
}

START_TEST(sums_and_strides_run_beside_their_messages)
{
    static const char *const devices[] = {"host:threads=1", "host:threads=1*2"};

    for (int k = 0; k < 2; k++) {
        expect_same(devices[k], "block:dims=0");
        expect_same(devices[k], "block:dims=1");
        expect_same(devices[k], "block");
    }
}
END_TEST

/* ---- devices with memories of their own ---- */

/* Did indices run before each wait for messages, and after the launch began that has it?
 * By what is recorded, whose order does not depend on how busy the machine is. */
static void expect_inner_first(const hit_trace *trace, int waits)
{
    const hit_trace_list *all = trace->list;
    const hit_trace_list *wait = &all[HIT_TRACE_WAIT];
    int found = 0;

    for (size_t w = 0; w < wait->count; w++) {
        const hit_trace_event *of = &wait->event[w];
        double since_s = 0;
        bool ran = false;

        if (strcmp(of->what, "gather") != 0) continue;
        found++;
        for (size_t k = 0; k < all[HIT_TRACE_LAUNCH].count; k++) {
            const double start_s = all[HIT_TRACE_LAUNCH].event[k].start_s;

            if (start_s <= of->start_s && start_s > since_s) since_s = start_s;
        }
        for (size_t k = 0; k < all[HIT_TRACE_RUN].count; k++) {
            const hit_trace_event *run = &all[HIT_TRACE_RUN].event[k];

            ran = ran || (run->start_s >= since_s && run->end_s <= of->start_s);
        }
        ck_assert_msg(ran, "wait %zu: nothing ran before it", w);
    }
    ck_assert_int_eq(found, waits);
}

static void run_steps(chains_scene *s, int steps)
{
    for (int t = 0; t < steps; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
    HIT_MUST(hit_wait(s->hit));
}

static chains_scene open_traced(const char *devices, const char *layout, hit_index extent)
{
    chains_scene s;

    (void)setenv("HIT_TRACE", "/dev/null", 1);
    s = chains_open_on(NULL, devices, layout, extent);
    (void)unsetenv("HIT_TRACE");
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    hit_comm_hold(s.hit->comm, late_s);
    return s;
}

static void expect_beside(const char *devices, const char *layout)
{
    const bool alone = hit_size(base) == 1;
    chains_scene s = open_traced(devices, layout, EXTENT);
    chains_scene in_place = open_scene("host:threads=1", layout, 0);

    run_steps(&s, STEPS);
    run_steps(&in_place, STEPS);
    chains_expect_equal(&s, &in_place, devices);
    ck_assert_msg(all_overlap(&s), "%s: a launch waits for its messages", devices);
    expect_inner_first(s.hit->trace, alone ? 0 : STEPS);
    run_strided(&s);
    run_strided(&in_place);
    chains_expect_equal(&s, &in_place, devices);
    chains_close(&s);
    chains_close(&in_place);
}

START_TEST(devices_with_memories_run_beside_their_messages)
{
    static const char *const devices[] = {
        "host:threads=1:memory=1MiB", "host:threads=1:memory=1MiB*2",
        "host:threads=1:share=auto:memory=1MiB+host:threads=1", "host:threads=1*2"};

    for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++) {
        expect_beside(devices[k], "block:dims=0");
        expect_beside(devices[k], "block:dims=1");
        expect_beside(devices[k], "block");
    }
}
END_TEST

/* What is sent leaves the device, and what comes goes there. */
START_TEST(only_halos_cross)
{
    chains_scene s =
        chains_open_on(NULL, "host:threads=1:memory=1MiB", "block:dims=0", EXTENT);
    hit_stats before;
    hit_stats after;

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    run_steps(&s, 2); /* until both tiles are there */
    HIT_MUST(hit_context_stats_all(s.hit, &before));
    run_steps(&s, STEPS);
    HIT_MUST(hit_context_stats_all(s.hit, &after));
    ck_assert_uint_eq(after.bytes_in - before.bytes_in,
                      after.message_bytes_sent - before.message_bytes_sent);
    ck_assert_uint_eq(after.bytes_out - before.bytes_out,
                      after.message_bytes_sent - before.message_bytes_sent);
    chains_close(&s);
}
END_TEST

/* ---- superblocks ---- */

/* Of a part of what a process has of two tiles. */
static const char *small_devices(int extent, int parts, int devices)
{
    static char text[64];
    const int bytes = 2 * (int)sizeof(float) * extent * extent / hit_size(base);

    snprintf(text, sizeof(text), "host:threads=1:memory=%dB*%d", bytes / parts / devices,
             devices);
    return text;
}

static chains_scene open_wide(const char *devices, const char *layout)
{
    chains_scene s = chains_open_on(NULL, devices, layout, WIDE);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    return s;
}

/* Per launch what the superblocks of all processes move. */
static hit_stats moved(const char *devices, const char *layout, bool dry)
{
    chains_scene s;
    hit_stats stats;

    (void)setenv("HIT_PLAN", dry ? "json" : "0", 1);
    s = open_wide(devices, layout);
    (void)unsetenv("HIT_PLAN");
    run_steps(&s, STEPS);
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    chains_close(&s);
    return stats;
}

static void expect_as_planned(const char *devices, const char *layout)
{
    const hit_stats dry = moved(devices, layout, true);
    const hit_stats live = moved(devices, layout, false);

    ck_assert_uint_gt(live.superblocks, (uint64_t)(6 * STEPS * hit_size(base)));
    ck_assert_uint_eq(live.superblocks, dry.superblocks);
    ck_assert_uint_eq(live.bytes_in, dry.bytes_in);
    ck_assert_uint_eq(live.bytes_out, dry.bytes_out);
}

static void expect_superblocks_beside(const char *devices, const char *layout)
{
    chains_scene s = open_traced(devices, layout, WIDE);
    chains_scene soon = open_wide(devices, layout);
    chains_scene in_place = open_wide("host:threads=1", layout);
    double late;
    double again;

    run_steps(&s, STEPS);
    run_steps(&in_place, STEPS);
    chains_expect_equal(&s, &in_place, devices);
    ck_assert_msg(all_overlap(&s), "%s, %s: a launch waits for its messages", devices,
                  layout);
    expect_inner_first(s.hit->trace, hit_size(base) == 1 ? 0 : STEPS);
    run_steps(&soon, STEPS);
    late = run_roughness(&s);
    again = run_roughness(&soon);
    (void)run_roughness(&in_place);
    chains_expect_equal(&s, &in_place, devices);
    ck_assert_msg(all_overlap(&s), "%s, %s: a sum waits for its messages", devices,
                  layout);
    ck_assert(memcmp(&late, &again, sizeof(late)) == 0);
    chains_close(&s);
    chains_close(&soon);
    chains_close(&in_place);
}

START_TEST(superblocks_run_beside_their_messages)
{
    static const char *const layouts[] = {"block:dims=0", "block:dims=1", "block"};

    for (int devices = 1; devices <= 2; devices++) {
        for (size_t k = 0; k < sizeof(layouts) / sizeof(layouts[0]); k++) {
            expect_superblocks_beside(small_devices(WIDE, 6, devices), layouts[k]);
            expect_as_planned(small_devices(WIDE, 6, devices), layouts[k]);
        }
    }
}
END_TEST

/* What would move much more than all at once is not cut. */
START_TEST(few_rows_wait_for_messages)
{
    chains_scene s = chains_open_on(NULL, small_devices(FEW, 2, 1), "block:dims=0", FEW);
    chains_scene in_place = chains_open_on(NULL, "host:threads=1", "block:dims=0", FEW);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    HIT_MUST(hit_chain(in_place.hit, HIT_CHAIN_OFF));
    run_steps(&s, STEPS);
    run_steps(&in_place, STEPS);
    chains_expect_equal(&s, &in_place, "few rows");
    ck_assert(hit_size(base) == 1 || !all_overlap(&s));
    chains_close(&s);
    chains_close(&in_place);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("launches and messages");
    TCase *tc = tcase_create("overlap");

    tcase_add_test(tc, sums_and_strides_run_beside_their_messages);
    tcase_add_test(tc, devices_with_memories_run_beside_their_messages);
    tcase_add_test(tc, only_halos_cross);
    tcase_add_test(tc, superblocks_run_beside_their_messages);
    tcase_add_test(tc, few_rows_wait_for_messages);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
