/* SPDX-License-Identifier: MIT
 * Several devices of one process: who runs what, how many bytes cross, what fails. That
 * results are right is in test_launch.c and test_sequence.c, too. */
#include "hit/base/context.h"
#include "hit/kernel.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel blend, bump, columns, assign, weave;

enum {
    N = 128,
    ROW_BYTES = N * 8
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static hit_context *open_on(const char *devices)
{
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices, .threads = 1},
                           &hit));
    return hit;
}

static hit_tile *make_tile(hit_context *hit, hit_domain domain, const char *layout_text)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    const int64_t one = 1;

    HIT_MUST(hit_layout_create(hit, domain, layout_text, &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &one));
    hit_layout_destroy(&layout);
    return tile;
}

/* The plan of the last launch. */
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

static hit_index rows_of(const hit_launch_plan *plan, int device)
{
    hit_index rows = 0;

    for (int k = 0; k < plan->parts; k++) {
        if (plan->part[k].device == device) {
            rows += hit_sig_count(plan->part[k].index.sig[0]);
        }
    }
    return rows;
}

START_TEST(shares_say_how_many_rows_a_device_runs)
{
    hit_context *hit = open_on("host + host:staged:share=2+host:share=3");
    const hit_domain whole = hit_domain_of(24 * (hit_index)hit_size(hit), 5);
    hit_tile *tile = make_tile(hit, whole, "block:dims=0");
    hit_index rows[3];

    HIT_MUST(hit_launch(hit, &bump, whole, tile, HIT_VALUE((int64_t)3)));
    for (int d = 0; d < 3; d++) {
        rows[d] = rows_of(last_plan(hit), d);
    }
    ck_assert_int_eq(hit->devices, 3);
    hit_tile_destroy(&tile);
    hit_close(&hit);
    ck_assert_int_eq(rows[0], 4);
    ck_assert_int_eq(rows[1], 8);
    ck_assert_int_eq(rows[2], 12);
}
END_TEST

/* Rows of a matrix are cut for a product of rows, so that each device needs its own. */
START_TEST(what_is_cut_is_the_dimension_that_needs_fewest_bytes)
{
    hit_context *hit = open_on("host+host");
    const hit_domain whole = hit_domain_of(N, N);
    hit_tile *a = make_tile(hit, whole, "single");
    hit_tile *total = make_tile(hit, hit_domain_of(N), "single");
    const hit_launch_plan *plan;
    bool by_columns = true;
    bool partial = false;

    HIT_MUST(hit_launch(hit, &columns, whole, total, a)); /* sums of columns */
    plan = last_plan(hit);
    for (int k = 0; k < plan->parts; k++) {
        by_columns = by_columns && hit_sig_count(plan->part[k].index.sig[1]) == N / 2;
        partial = partial || plan->part[k].claim[0].partial;
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&total);
    hit_close(&hit);
    ck_assert(by_columns);
    ck_assert(!partial); /* no two devices add to one element */
}
END_TEST

/* Elements that two devices would write in boxes that interlock. */
START_TEST(no_two_devices_write_in_each_others_boxes)
{
    hit_context *hit = open_on("host:staged+host:staged");
    const hit_domain index = hit_domain_of(4, 3);
    hit_tile *c = make_tile(hit, hit_domain_of(12), "single");
    hit_layout *layout = NULL;
    int64_t found[12] = {0};
    bool good = true;

    HIT_MUST(hit_layout_create(hit, index, "single", &layout));
    HIT_MUST(hit_launch_on(hit, layout, &weave, index, c));
    HIT_MUST(hit_launch_on(hit, layout, &weave, index, c));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_gather(c, 0, found));
    for (int64_t k = 0; k < 12; k++) {
        const int64_t i = k % 4;
        const int64_t j = k / 4;

        good = good && found[k] == 1 + 2 * (10 * i + j);
    }
    good = good || hit_rank(hit) != 0;
    hit_tile_destroy(&c);
    hit_close(&hit);
    ck_assert(good);
}
END_TEST

typedef struct traffic {
    uint64_t in;
    uint64_t out;
} traffic;

static traffic moved(hit_context *hit, traffic *before)
{
    hit_stats now;
    traffic since;

    hit_context_stats(hit, &now);
    since = (traffic){now.bytes_in - before->in, now.bytes_out - before->out};
    *before = (traffic){now.bytes_in, now.bytes_out};
    return since;
}

START_TEST(what_each_device_needs_alone_stays_where_it_is)
{
    hit_context *hit = open_on("host:memory=4MiB+host:memory=8MiB:share=2");
    const hit_domain whole = hit_domain_of(N, N);
    hit_tile *tile[2] = {make_tile(hit, whole, "block"), make_tile(hit, whole, "block")};
    traffic before = {0};
    traffic rest;

    HIT_MUST(hit_launch(hit, &assign, whole, tile[0], tile[1]));
    (void)moved(hit, &before);
    for (int k = 1; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &assign, whole, tile[k % 2], tile[(k + 1) % 2]));
        HIT_MUST(hit_launch(hit, &bump, whole, tile[k % 2], HIT_VALUE((int64_t)3)));
    }
    rest = moved(hit, &before);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_close(&hit);
    ck_assert_uint_eq(rest.in + rest.out, 0);
}
END_TEST

/* blend reads one row above and one below. */
static void check_crossing(const char *devices, int crossings, bool staged_both)
{
    hit_context *hit = open_on(devices);
    const hit_domain whole = hit_domain_of(N, N);
    const hit_domain inner = {2, {hit_sig_make(1, N - 2, 1), hit_sig_make(2, N - 2, 1)}};
    hit_tile *tile[2] = {make_tile(hit, whole, "single"),
                         make_tile(hit, whole, "single")};
    const bool mine = hit_rank(hit) == 0;
    traffic before = {0};
    traffic step[10];

    for (int k = 0; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &blend, inner, tile[k % 2], tile[(k + 1) % 2]));
        step[k] = moved(hit, &before);
    }
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_close(&hit);
    /* the rims of the tile that is read first come with the second step, nothing else */
    if (mine) ck_assert_uint_lt(step[1].in, 10 * ROW_BYTES);
    for (int k = 2; k < 10 && mine; k++) {
        /* both sides of a cut send a row and get one; in place there is nothing to do */
        const uint64_t rows = (uint64_t)crossings * (staged_both ? 2 : 1);

        ck_assert_uint_gt(step[k].in, rows * ROW_BYTES - rows * 5 * 8);
        ck_assert_uint_le(step[k].in, rows * ROW_BYTES);
        ck_assert_uint_gt(step[k].out, rows * ROW_BYTES - rows * 5 * 8);
        ck_assert_uint_le(step[k].out, rows * ROW_BYTES);
    }
}

START_TEST(of_a_stencil_only_the_rows_at_the_cuts_cross)
{
    check_crossing("host:staged+host:staged", 1, true);
    /* just what 65 rows of two tiles need */
    check_crossing("host:memory=133120+host:memory=133120", 1, true);
    check_crossing("host:staged+host:staged+host:staged:share=2", 2, true);
    check_crossing("host+host:staged", 1, false);
}
END_TEST

static hit_status fails(const hit_run *run)
{
    if (run->begin[0] == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_DEVICE, "from row %lld on", (long long)run->begin[0]);
}

START_TEST(a_failure_on_a_further_device_is_told_with_its_text)
{
    static const hit_kernel_arg arg[] = {
        {HIT_MODE_INOUT, {HIT_KIND_INT64, 8}, "a", "[i]"}};
    const hit_kernel kernel = {.name = "fails",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = arg,
                               .whole_box = 1,
                               .host = fails};
    hit_context *hit = open_on("host+host");
    hit_tile *tile = make_tile(hit, hit_domain_of(10), "single");
    const bool mine = hit_rank(hit) == 0;
    const hit_status status = hit_launch(hit, &kernel, hit_domain_of(10), tile);
    char text[256];

    strncpy(text, hit_status_text(), sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    hit_tile_destroy(&tile);
    hit_close(&hit);
    if (!mine) return;
    ck_assert_int_eq(status, HIT_E_DEVICE);
    ck_assert_msg(strstr(text, "from row 5 on") != NULL, "%s", text);
}
END_TEST

static hit_status count_up(const hit_run *run)
{
    ++*(int64_t *)run->slot[0].base;
    return HIT_OK;
}

START_TEST(a_device_that_does_not_hold_an_index_gets_none)
{
    static const hit_kernel_arg arg[] = {
        {HIT_MODE_INOUT, {HIT_KIND_INT64, 8}, "a", "[:]"}};
    const hit_kernel kernel = {.name = "count_up",
                               .dims = 1,
                               .index = {"i"},
                               .args = 1,
                               .arg = arg,
                               .whole_box = 1,
                               .host = count_up};
    static const struct {
        const char *devices;
        bool fits;
    } cases[] = {{"host:memory=16KiB + host:memory=256KiB", true},
                 {"host:memory=256KiB + host:memory=16KiB", true},
                 {"host:memory=16KiB + host", true},
                 {"host:memory=16KiB + host:memory=16KiB", false}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const hit_index at = 0;
        hit_context *hit = open_on(cases[k].devices);
        hit_tile *tile = make_tile(hit, hit_domain_of(4096), "single"); /* 32 KiB */
        const bool mine = hit_rank(hit) == 0;
        int64_t before;
        int64_t after;
        hit_status status;

        HIT_MUST(hit_tile_get(tile, &at, &before));
        status = hit_launch(hit, &kernel, hit_domain_of(1), tile);
        ck_assert_int_eq(status == HIT_OK, cases[k].fits);
        if (mine && !cases[k].fits) ck_assert_int_eq(status, HIT_E_LIMIT);
        HIT_MUST(hit_tile_get(tile, &at, &after));
        ck_assert_int_eq(after, before + cases[k].fits);
        hit_tile_destroy(&tile);
        hit_close(&hit);
    }
}
END_TEST

static hit_status write_one(const hit_run *run)
{
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        *(int64_t *)hit_run_address(run, 0, 1, &i, sizeof(int64_t)) = 2;
    }
    return HIT_OK;
}

/* Indices need more the later they are: 16 KiB hold those of the first half, or less. */
START_TEST(a_device_that_does_not_hold_the_last_index_of_its_part_gets_none)
{
    static const hit_kernel_arg arg[] = {
        {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "to", "[i]"},
        {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "from", "[0:i]"}};
    const hit_kernel kernel = {.name = "write_one",
                               .dims = 1,
                               .index = {"i"},
                               .args = 2,
                               .arg = arg,
                               .whole_box = 1,
                               .host = write_one};
    static const struct {
        const char *devices;
        int gets_all; /* -1: it does not fit */
    } cases[] = {{"host:memory=16KiB + host:memory=256KiB", 1},
                 {"host + host:memory=16KiB", 0},
                 {"host:memory=16KiB + host:memory=18KiB + host:memory=40KiB", 2},
                 {"host:memory=17KiB + host:memory=16KiB", -1},
                 {"host:memory=16KiB + host:memory=17KiB", -1}};

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const hit_domain whole = hit_domain_of(4096); /* 32 KiB */
        hit_context *hit = open_on(cases[k].devices);
        hit_tile *to = make_tile(hit, whole, "single");
        hit_tile *from = make_tile(hit, whole, "single");
        const bool mine = hit_rank(hit) == 0;
        const hit_status status = hit_launch(hit, &kernel, whole, to, from);

        ck_assert_int_eq(status == HIT_OK, cases[k].gets_all >= 0);
        if (mine && status != HIT_OK) {
            ck_assert_int_eq(status, HIT_E_LIMIT);
            ck_assert_ptr_nonnull(strstr(hit_status_text(), "device host has 17 KiB"));
        }
        if (mine && status == HIT_OK) {
            ck_assert_int_eq(rows_of(last_plan(hit), cases[k].gets_all), 4096);
        }
        hit_tile_destroy(&from);
        hit_tile_destroy(&to);
        hit_close(&hit);
    }
}
END_TEST

START_TEST(more_devices_than_a_process_can_have_are_refused)
{
    char list[32];
    hit_context *hit = NULL;
    hit_status status;

    (void)snprintf(list, sizeof(list), "host * %d", HIT_MAX_DEVICES + 1);
    status = hit_open_with(NULL, NULL, &(hit_options){.devices = list}, &hit);
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "at most 64 devices of one process but found "
                                            "65") != NULL,
                  "%s", hit_status_text());
}
END_TEST

static int threads_of(const hit_context *hit, int d)
{
    return hit->device[d]->threads;
}

START_TEST(host_devices_divide_the_threads)
{
    hit_context *hit = NULL;
    int found[3];
    int whole;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    whole = threads_of(hit, 0);
    hit_close(&hit);
    HIT_MUST(hit_open_with(NULL, NULL,
                           &(hit_options){.devices = "host+host:threads=1+host"}, &hit));
    for (int d = 0; d < 3; d++) {
        found[d] = threads_of(hit, d);
    }
    hit_close(&hit);
    ck_assert_int_eq(found[1], 1);
    ck_assert_int_le(found[0] + found[2], whole > 3 ? whole - 1 : 2);
    ck_assert_int_ge(found[0], found[2]);
    ck_assert_int_ge(found[2], 1);
}
END_TEST

START_TEST(one_line_tells_of_all_devices)
{
    hit_context *hit = open_on("host:threads=1+host:memory=1MiB");
    char text[256];
    char small[8];

    hit_context_device(hit, text, sizeof(text));
    hit_context_device(hit, small, sizeof(small));
    hit_close(&hit);
    ck_assert_msg(strstr(text, "1 thread + ") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "staged in 1 MiB") != NULL, "%s", text);
    ck_assert_uint_eq(strlen(small), sizeof(small) - 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("devices");
    TCase *tests = tcase_create("devices");

    tcase_add_test(tests, shares_say_how_many_rows_a_device_runs);
    tcase_add_test(tests, what_is_cut_is_the_dimension_that_needs_fewest_bytes);
    tcase_add_test(tests, no_two_devices_write_in_each_others_boxes);
    tcase_add_test(tests, what_each_device_needs_alone_stays_where_it_is);
    tcase_add_test(tests, of_a_stencil_only_the_rows_at_the_cuts_cross);
    tcase_add_test(tests, a_failure_on_a_further_device_is_told_with_its_text);
    tcase_add_test(tests, a_device_that_does_not_hold_an_index_gets_none);
    tcase_add_test(tests,
                   a_device_that_does_not_hold_the_last_index_of_its_part_gets_none);
    tcase_add_test(tests, more_devices_than_a_process_can_have_are_refused);
    tcase_add_test(tests, host_devices_divide_the_threads);
    tcase_add_test(tests, one_line_tells_of_all_devices);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
