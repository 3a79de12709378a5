/* SPDX-License-Identifier: MIT
 * Launches on the indices for which inequalities hold do what plain loops with an if do,
 * wherever they run, and nothing beyond. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>

extern const hit_kernel where_own, where_around, where_turned, where_row, where_rows,
    where_box;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Where there are some; the host has what runs in order. */
START_TEST(so_they_do_on_gpus)
{
    const char *const gpu[] = {"cuda:0 + host:threads=1:share=0",
                               "cuda:0:memory=64KiB + host:threads=1:share=0",
                               "cuda:0 + host:threads=1"};
    hit_context *hit = NULL;
    const hit_status status =
        hit_open_with(NULL, NULL, &(hit_options){.devices = gpu[0]}, &hit);

    ck_assert(status == HIT_OK || status == HIT_E_ABSENT);
    hit_close(&hit);
    for (size_t k = 0; k < sizeof(gpu) / sizeof(gpu[0]) && status == HIT_OK; k++) {
        run_trials(gpu[k], HIT_CHAIN_OFF, 562 + k, hit_random_cases(16));
    }
}
END_TEST

/* ---- no work, and no bytes, for what does not run ---- */

/* What all processes do in a launch on the inner indices of a square of @p n. */
static hit_stats count(const char *place, const char *where, hit_index n)
{
    const hit_domain all = hit_domain_of(n, n);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_stats stats;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "y", &y));
    HIT_MUST(hit_launch(hit, &where_around, hit_domain_grow(all, -1), y, x,
                        HIT_VALUE((hit_index)0), HIT_WHERE(where)));
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    return stats;
}

START_TEST(nothing_is_done_for_what_does_not_run)
{
    const hit_index n = 202;
    const char *const staged = "host:threads=1:staged:memory=64KiB";
    const hit_stats all = count(staged, "0 <= 0", n);
    const hit_stats half = count(staged, "j <= i", n);
    const hit_stats band = count(staged, "i - 1 <= j <= i + 1", n);
    const hit_stats in_place = count("host:threads=2", "j < i", n);
    const hit_stats one = count("host:threads=2", "i == 1, j < 3", n);
    const char *const rim = "i < 5 or i >= 197 or j < 5 or j >= 197";
    const hit_stats frame = count(staged, rim, n);
    const hit_stats sides = count("host:threads=2", "j < 5 or j >= 197", n);

    ck_assert_uint_eq(all.indices, 200 * 200);
    ck_assert_uint_eq(half.indices, 200 * 201 / 2);
    ck_assert_uint_eq(band.indices, 3 * 200 - 2);
    ck_assert_uint_eq(in_place.indices, 200 * 199 / 2);
    ck_assert_uint_eq(one.indices, 2);
    ck_assert_uint_lt(half.bytes_out, all.bytes_out * 3 / 4);
    ck_assert_uint_lt(band.bytes_in, half.bytes_in);
    ck_assert_uint_le(one.messages_sent, all.messages_sent);
    if (hit_size(base) > 1) {
        ck_assert_uint_lt(in_place.message_bytes_sent, all.message_bytes_sent * 9 / 10);
    }
    ck_assert_uint_lt(one.superblocks, 2); /* of one process */
    ck_assert_uint_eq(frame.indices, 200 * 200 - 192 * 192);
    ck_assert_uint_lt(frame.bytes_in, all.bytes_in / 4);
    ck_assert_uint_lt(frame.bytes_out, all.bytes_out / 8);
    ck_assert_uint_eq(sides.indices, 2 * 4 * 200);
    if (hit_size(base) > 1) {
        ck_assert_uint_gt(frame.message_bytes_sent, 0);
        ck_assert_uint_lt(frame.message_bytes_sent, all.message_bytes_sent / 10);
        ck_assert_uint_lt(sides.message_bytes_sent, all.message_bytes_sent / 10);
    }
}
END_TEST

/* A dry run says what a launch does. */
START_TEST(a_dry_run_says_the_same)
{
    static const char *const where[] = {"j <= i", "i - 20 <= j < i + 3", "i + j <= 70",
                                        "i < 9 or j < 7 or i > 70",
                                        "j < i - 9 or j > i + 9"};
    char processes[16];

    snprintf(processes, sizeof(processes), "%d", hit_size(base));
    for (int k = 0; k < 5; k++) {
        for (size_t p = 0; p < TRIAL_PLACES; p++) {
            const hit_stats live = count(trial_places[p], where[k], 80);
            hit_stats dry;

            if (hit_size(base) > 1) continue; /* dry runs have one process of their own */
            ck_assert_int_eq(setenv("HIT_PLAN", "json", 1), 0);
            ck_assert_int_eq(setenv("HIT_PLAN_PROCESSES", processes, 1), 0);
            dry = count(trial_places[p], where[k], 80);
            ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
            ck_assert_int_eq(unsetenv("HIT_PLAN_PROCESSES"), 0);
            ck_assert_uint_eq(dry.indices, live.indices);
            ck_assert_uint_eq(dry.superblocks, live.superblocks);
            if (k > 2) continue; /* what stays on a device is not moved again */
            ck_assert_uint_eq(dry.bytes_in, live.bytes_in);
            ck_assert_uint_eq(dry.bytes_out, live.bytes_out);
        }
    }
}
END_TEST

/* ---- plans ---- */

START_TEST(equal_launches_keep_their_plan)
{
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    uint64_t before;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9, 9), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9, 9), "block", HIT_INT64, "y", &y));
    before = hit->launcher->plans_made;
    for (int t = 0; t < 3; t++) {
        for (hit_index b = 0; b < 2; b++) { /* by the value of the pattern's text */
            HIT_MUST(hit_launch(hit, &where_turned, hit_domain_of(9, 9), y, x,
                                HIT_VALUE(b), HIT_WHERE("j <= i + b")));
        }
        HIT_MUST(hit_launch(hit, &where_turned, hit_domain_of(9, 9), y, x,
                            HIT_VALUE((hit_index)7), HIT_WHERE("i >= j")));
        HIT_MUST(hit_launch(hit, &where_turned, hit_domain_of(9, 9), y, x,
                            HIT_VALUE((hit_index)7), HIT_WHERE("i >= 0")));
        HIT_MUST(hit_launch(hit, &where_turned, hit_domain_of(9, 9), y, x,
                            HIT_VALUE((hit_index)7)));
    }
    ck_assert_uint_eq(hit->launcher->plans_made - before, 3);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

/* From the third time on it is neither checked nor looked up, in place and in pieces. */
START_TEST(equal_launches_are_known)
{
    static const char *const where[] = {"j <= i + b", "i < 2 or j < b", "i >= 0",
                                        "i > 20"};
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    const hit_index b = 3;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = trial_places[_i]}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9, 9), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9, 9), "block", HIT_INT64, "y", &y));
    for (size_t k = 0; k < sizeof(where) / sizeof(where[0]); k++) {
        for (int t = 0; t < 4; t++) {
            hit->launcher->last_call = NULL;
            HIT_MUST(hit_launch(hit, &where_turned, hit_domain_of(9, 9), y, x,
                                HIT_VALUE(b), HIT_WHERE(where[k])));
            ck_assert(t > 0 || hit->launcher->last_call == NULL);
            ck_assert(t < 2 || hit->launcher->last_call != NULL);
        }
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(what_cannot_be_is_told)
{
    const hit_domain all = hit_domain_of(9, 9);
    expectations e = expect_open(NULL);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    const struct {
        const char *where;
        const char *text;
    } wrong[] = {
        {"j", "kernel where_around: expected <=, <, >=, > or == in HIT_WHERE(\"j\") but "
              "found \"\""},
        {"j <= ", "expected a sum of indices and values"},
        {"j <= i,", "expected a sum of indices and values"},
        {"j = i", "expected <=, <, >=, > or =="},
        {"j/2 <= i", "without /, % and :"},
        {"i:j <= 3", "without /, % and :"},
        {": <= 3", "without /, % and :"},
        {"j <= k", "HIT_WHERE(\"j <= k\")|unknown index 'k'"},
        {"i*j <= 3", "HIT_WHERE(\"i*j <= 3\")"},
        {"j <= i or", "expected a sum of indices and values"},
        {"j <= i or i", "expected <=, <, >=, > or =="},
        {"i==1 or i==1 or i==1 or i==1 or i==1 or i==1 or i==1 or i==1 or i==1 or i==1 "
         "or i==1 or i==1 or i==1 or i==1 or i==1 or i==1 or i==1",
         "at most 32 inequalities"}};

    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "y", &y));
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        expect_failure(&e,
                       hit_launch(e.hit, &where_around, hit_domain_grow(all, -1), y, x,
                                  HIT_VALUE((hit_index)1), HIT_WHERE(wrong[k].where)),
                       HIT_E_PATTERN, wrong[k].where, wrong[k].text);
    }
    expect_failure(&e,
                   hit_launch(e.hit, &where_around, hit_domain_grow(all, -1), y, x,
                              HIT_VALUE((hit_index)1), HIT_WHERE("i < j"),
                              HIT_WHERE("i < j")),
                   HIT_E_ARG, "twice",
                   "expected HIT_ON() and HIT_WHERE() once each, behind all other");
    expect_failure(
        &e, hit_launch(e.hit, &where_row, all, e.next, x, HIT_WHERE("i <= j")),
        HIT_E_PATTERN, "indices that share elements",
        "kernel where_row, argument y: expected an element of its own for each "
        "index");
    expect_failure(&e,
                   hit_launch(e.hit, &where_rows, all, e.next, x, HIT_WHERE("i <= j")),
                   HIT_E_PATTERN, "sums of rows",
                   "kernel where_rows, argument y: expected a reduction into \"[]\"");
    expect_failure(&e, hit_launch(e.hit, &where_box, all, y, HIT_WHERE("i <= j")),
                   HIT_E_ARG, "whole boxes", "found a kernel of whole boxes");
    HIT_MUST(hit_launch(e.hit, &where_around, hit_domain_grow(all, -1), y, x,
                        HIT_VALUE((hit_index)1), HIT_WHERE("i > j + 20")));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    expect_close(&e);
}
END_TEST

START_TEST(unlike_numbers_are_told)
{
    expectations e = expect_open(NULL);
    const bool several = hit_size(e.hit) > 1;
    const hit_index other = several && hit_rank(e.hit) == hit_size(e.hit) - 1;
    const hit_domain all = hit_domain_of(9, 9);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_status found;

    HIT_MUST(hit_tile_make(e.hit, all, "single", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, all, "single", HIT_INT64, "y", &y));
    found = hit_launch(e.hit, &where_turned, all, y, x, HIT_VALUE(other),
                       HIT_WHERE("j <= i + b"));
    if (several) {
        expect_failure(&e, found, HIT_E_ARG, "the first launch",
                       "hit_launch(where_turned, 0:8 x 0:8|HIT_WHERE(\"j <= i + b\")");
    }
    for (hit_index b = 0; b < 2; b++) { /* both are known then */
        HIT_MUST(hit_launch(e.hit, &where_turned, all, y, x, HIT_VALUE(b),
                            HIT_WHERE("j <= i + b")));
    }
    found = hit_launch(e.hit, &where_turned, all, y, x, HIT_VALUE(other),
                       HIT_WHERE("j <= i + b"));
    expect_true(&e, found == HIT_OK, "the launch itself succeeds");
    found = hit_barrier(e.hit);
    if (several) {
        expect_failure(&e, found, HIT_E_ARG, "a launch before it",
                       "before hit_barrier()");
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    expect_close(&e);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/launch/where");
    TCase *tests = tcase_create("where");

    tcase_set_timeout(tests, 0);
    add_trial_tests(tests, 62, 16, 4);
    tcase_add_test(tests, so_they_do_on_gpus);
    tcase_add_test(tests, nothing_is_done_for_what_does_not_run);
    tcase_add_test(tests, a_dry_run_says_the_same);
    tcase_add_test(tests, equal_launches_keep_their_plan);
    tcase_add_loop_test(tests, equal_launches_are_known, 0, TRIAL_PLACES);
    tcase_add_test(tests, what_cannot_be_is_told);
    tcase_add_test(tests, unlike_numbers_are_told);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
