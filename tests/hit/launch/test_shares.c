/* SPDX-License-Identifier: MIT
 * Shares of devices that follow measured times: with times that the test makes up, and
 * with those of a slow device on a played clock. */
#include "hit/base/context.h"
#include "hit/launch/launch_plan.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_move.h"
#include "tests/support/check_main.h"
#include "tests/support/played_clock.h"
#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel blend, columns;

enum {
    ROWS = 90, /* of each process */
    WIDTH = 40,
    ROUNDS = 10,
    CHANGES = 12,   /* more than the shares need to follow */
    PATIENCE = 400, /* launches of which one changes the shares, if any does */
    SOON = 200      /* launches after which they have changed */
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* A stencil between two tiles. */
typedef struct setting {
    hit_context *hit;
    hit_domain inner;
    hit_tile *tile[2];
    int step;
} setting;

static hit_tile *make_tile(hit_context *hit, hit_domain domain)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    int64_t *values = NULL;
    const hit_index count = hit_domain_count(&domain);

    HIT_MUST(hit_layout_create(hit, domain, "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    hit_layout_destroy(&layout);
    values = calloc((size_t)count, sizeof(int64_t));
    ck_assert_ptr_nonnull(values);
    for (hit_index k = 0; k < count; k++) {
        values[k] = k % 17 - 5;
    }
    HIT_MUST(hit_tile_scatter(tile, 0, values));
    free(values);
    return tile;
}

static void open_setting(setting *s, const char *devices, hit_index width)
{
    *s = (setting){.step = 0};
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &s->hit));
    HIT_MUST(hit_chain(s->hit, HIT_CHAIN_OFF)); /* whatever the cache of this machine */
    const hit_domain whole = hit_domain_of(ROWS * (hit_index)hit_size(s->hit), width);
    s->inner = hit_domain_grow(whole, -2);
    for (int k = 0; k < 2; k++) {
        s->tile[k] = make_tile(s->hit, whole);
    }
}

static void close_setting(setting *s)
{
    hit_tile_destroy(&s->tile[0]);
    hit_tile_destroy(&s->tile[1]);
    hit_close(&s->hit);
}

static void launch_kernel(setting *s, const hit_kernel *kernel)
{
    const int k = s->step++ % 2;

    HIT_MUST(hit_launch(s->hit, kernel, s->inner, s->tile[k], s->tile[1 - k]));
}

static void launch(setting *s)
{
    launch_kernel(s, &blend);
}

static hit_launch_plan *plan_of(const setting *s)
{
    ck_assert_int_eq(s->hit->launcher->plans, 1);
    return s->hit->launcher->plan[0];
}

/* The time of this launch is none of those that are told. */
static void launch_unseen(setting *s)
{
    hit_launch_plan *plan = plan_of(s);
    struct hit_shares *shares = plan->shares;

    plan->shares = NULL;
    launch(s);
    plan->shares = shares;
}

/* Rows, or columns if those are shared. */
static void count_rows(const setting *s, hit_index rows[])
{
    const hit_launch_plan *plan = plan_of(s);

    for (int d = 0; d < s->hit->devices; d++) {
        rows[d] = 0;
    }
    for (int k = 0; k < plan->parts; k++) {
        rows[plan->part[k].device] +=
            hit_sig_count(plan->part[k].index.sig[plan->cut_dim]);
    }
}

/* The seconds of the slowest device, by what a row costs each of them. */
static double makespan(const setting *s, const double cost[])
{
    hit_index rows[HIT_MAX_DEVICES];
    double most = 0;

    count_rows(s, rows);
    for (int d = 0; d < s->hit->devices; d++) {
        if ((double)rows[d] * cost[d] > most) most = (double)rows[d] * cost[d];
    }
    return most;
}

/* Tell of launches that took what rows cost, until the shares change. Do they? */
static bool tell(setting *s, const double cost[])
{
    const hit_arg args[] = {hit_arg_tile(s->tile[0]), hit_arg_tile(s->tile[1])};
    const hit_call call = {.context = s->hit,
                           .kernel = &blend,
                           .domain = s->inner,
                           .count = 2,
                           .args = args};
    hit_index before[HIT_MAX_DEVICES] = {0};
    hit_index now[HIT_MAX_DEVICES] = {0};
    bool changed = false;

    count_rows(s, before);
    for (int k = 0; k < PATIENCE && !changed; k++) {
        for (int d = 0; d < s->hit->devices; d++) {
            s->hit->stations->station[d].run_s = (double)before[d] * cost[d];
        }
        hit_shares_note(&call, plan_of(s));
        count_rows(s, now);
        for (int d = 0; d < s->hit->devices; d++) {
            changed = changed || now[d] != before[d];
        }
    }
    return changed;
}

static hit_index all_rows(const setting *s)
{
    hit_index rows[HIT_MAX_DEVICES];
    hit_index all = 0;

    count_rows(s, rows);
    for (int d = 0; d < s->hit->devices; d++) {
        all += rows[d];
    }
    return all;
}

/* The least makespan is at least what rows that could be cut would take. */
static double bound(const setting *s, const double cost[])
{
    double speed = 0;

    for (int d = 0; d < s->hit->devices; d++) {
        speed += 1 / cost[d];
    }
    return (double)all_rows(s) / speed;
}

static bool equal_tiles(const setting *a, const setting *b)
{
    const hit_domain whole = hit_domain_of(ROWS * (hit_index)hit_size(a->hit), WIDTH);
    const size_t bytes = (size_t)hit_domain_count(&whole) * sizeof(int64_t);
    bool equal = true;

    for (int k = 0; k < 2; k++) {
        int64_t *x = calloc(1, bytes);
        int64_t *y = calloc(1, bytes);

        HIT_MUST(hit_tile_gather(a->tile[k], 0, x));
        HIT_MUST(hit_tile_gather(b->tile[k], 0, y));
        equal = equal && memcmp(x, y, bytes) == 0;
        free(x);
        free(y);
    }
    return equal;
}

/* Devices whose speeds change again and again, each process's in its own way. */
static void follow(const char *devices, uint64_t seed)
{
    hit_random random = {.state = seed + (uint64_t)hit_rank(base)};
    setting s;
    setting plain;
    bool good = true;
    bool equal;

    open_setting(&s, devices, WIDTH);
    open_setting(&plain, "host", WIDTH);
    launch(&s);
    launch(&plain);
    for (int round = 0; round < ROUNDS; round++) {
        double cost[HIT_MAX_DEVICES];
        int changes = 0;

        for (int d = 0; d < s.hit->devices; d++) {
            cost[d] = 1e-3 * (double)hit_random_index(&random, 1, 8);
        }
        for (int k = 0; k < CHANGES; k++) {
            changes += tell(&s, cost);
            launch_unseen(&s);
            launch(&plain);
        }
        /* a gain of 5 % is none, and rows are not cut */
        good = good && changes < CHANGES &&
               makespan(&s, cost) <= 1.06 * bound(&s, cost) + 8e-3;
    }
    for (int k = 0; k < 3; k++) {
        launch(&s);
        launch(&plain);
    }
    equal = equal_tiles(&s, &plain);
    close_setting(&plain);
    close_setting(&s);
    ck_assert(good);
    ck_assert(equal);
}

START_TEST(shares_follow_times_and_results_stay)
{
    const uint64_t seeds = hit_random_is_slow() ? 1 : 5;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        follow("host:share=auto+host", seed);
        follow("host:staged:share=auto+host:staged", seed);
        follow("host:staged+host:share=auto+host:memory=64KiB", seed);
    }
}
END_TEST

/* So slow that it had better do nothing, and then as fast as the other one. */
START_TEST(a_device_that_recovers_is_seen)
{
    const double slow[] = {1e-3, 1};
    const double equal[] = {1e-3, 1e-3};
    hit_index least[2];
    hit_index rows[2];
    setting s;

    open_setting(&s, "host:share=auto+host", WIDTH);
    launch(&s);
    for (int k = 0; k < CHANGES; k++) {
        (void)tell(&s, slow);
    }
    count_rows(&s, least);
    for (int k = 0; k < CHANGES; k++) {
        (void)tell(&s, equal);
    }
    count_rows(&s, rows);
    close_setting(&s);
    ck_assert_int_eq(least[1], 1);
    ck_assert_int_ge(10 * rows[1], 9 * rows[0]);
}
END_TEST

START_TEST(devices_follow_without_one_that_holds_no_index)
{
    const double cost[] = {4e-3, 1, 1e-3};
    hit_index rows[3];
    setting s;

    open_setting(&s, "host:share=auto+host:memory=64+host", WIDTH);
    launch(&s);
    ck_assert_ptr_nonnull(plan_of(&s)->shares);
    for (int k = 0; k < CHANGES; k++) {
        (void)tell(&s, cost);
        launch_unseen(&s);
    }
    count_rows(&s, rows);
    close_setting(&s);
    ck_assert_int_eq(rows[1], 0);
    ck_assert_int_gt(rows[0], 0);
    ck_assert_int_gt(rows[2], 3 * rows[0]);
}
END_TEST

START_TEST(shares_that_are_given_stay)
{
    setting s;
    bool follows;

    open_setting(&s, "host+host", WIDTH);
    launch(&s);
    follows = plan_of(&s)->shares != NULL;
    close_setting(&s);
    ck_assert(!follows);
}
END_TEST

/* The bits of a sum of floats would depend on times. */
START_TEST(a_launch_that_reduces_keeps_its_shares)
{
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *a;
    hit_tile *total = NULL;
    bool follows;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host:share=auto+host"},
                           &hit));
    a = make_tile(hit, hit_domain_of(ROWS, ROWS));
    HIT_MUST(hit_layout_create(hit, hit_domain_of(ROWS), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "total", &total));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_launch(hit, &columns, hit_domain_of(ROWS, ROWS), total, a));
    follows = hit->launcher->plan[0]->shares != NULL;
    hit_tile_destroy(&a);
    hit_tile_destroy(&total);
    hit_close(&hit);
    ck_assert(!follows);
}
END_TEST

/* blend, which takes a microsecond for each index. */
static hit_kernel timed;

static hit_status run_timed(const hit_run *run)
{
    played_clock_pass(1e-6 * (double)played_clock_indices(run, 2));
    return blend.host(run);
}

/* A third of the speed: a quarter of the rows. */
START_TEST(a_slow_device_gets_less)
{
    hit_index rows[2];
    setting s;

    open_setting(&s, "host:threads=1:slow=10:share=auto+host:threads=1:slow=30", 500);
    s.hit->clock = played_clock;
    for (int k = 0; k < SOON; k++) {
        launch_kernel(&s, &timed);
    }
    HIT_MUST(hit_wait(s.hit));
    count_rows(&s, rows);
    close_setting(&s);
    ck_assert_double_eq_tol((double)rows[0] / (double)(rows[0] + rows[1]), 0.75, 0.03);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("shares");
    TCase *tests = tcase_create("shares");

    timed = blend;
    timed.host = run_timed;
    tcase_add_test(tests, shares_follow_times_and_results_stay);
    tcase_add_test(tests, a_device_that_recovers_is_seen);
    tcase_add_test(tests, devices_follow_without_one_that_holds_no_index);
    tcase_add_test(tests, shares_that_are_given_stay);
    tcase_add_test(tests, a_launch_that_reduces_keeps_its_shares);
    tcase_add_test(tests, a_slow_device_gets_less);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
