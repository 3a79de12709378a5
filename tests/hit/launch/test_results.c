/* SPDX-License-Identifier: MIT
 * HIT_RESULT(): a reduction's number is there when the launch returns, on any number of
 * processes, threads, superblocks and devices. */
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel least_float, least_double, rows_double, stepped, fail_if;

enum {
    N = 1600
};

static hit_context *base; /* keeps MPI open */

static const char *const places[] = {
    "host:threads=1",
    "host:threads=3",
    "host:threads=1:staged:memory=1KiB",
    "host:threads=1 + host:threads=2",
    "host:threads=1 + host:threads=1:staged:memory=4KiB",
};

static hit_tile *made(hit_context *hit, hit_type type, double factor)
{
    hit_tile *tile;
    double d[N];
    float f[N];

    for (int k = 0; k < N; k++) {
        d[k] = factor * (k + 1);
        f[k] = (float)d[k];
    }
    HIT_MUST(hit_tile_make(hit, hit_domain_of(N), "block", type, "x", &tile));
    HIT_MUST(
        hit_tile_scatter(tile, 0, type.kind == HIT_KIND_FLOAT ? (void *)f : (void *)d));
    return tile;
}

/* The numbers follow the indices and the types of launches that are made in turn. */
START_TEST(results_are_there_when_the_launch_returns)
{
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;
    hit_tile *high;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    x = made(hit, HIT_DOUBLE, 2);
    y = made(hit, HIT_FLOAT, -1);
    HIT_MUST(
        hit_tile_make(hit, hit_domain_scalar(), "single", HIT_DOUBLE, "high", &high));
    for (int k = 0; k < 40; k++) {
        const hit_domain some = hit_box_of(k, N - 1 - k);
        double low = -7;
        double most = -7;
        float low_y = -7;
        float high_y = -7;

        HIT_MUST(hit_launch(hit, &least_double, some, HIT_RESULT(&low), high, x));
        HIT_MUST(hit_launch(hit, &least_float, some, HIT_RESULT(&low_y),
                            HIT_RESULT(&high_y), y, HIT_ON("host")));
        HIT_MUST(hit_tile_get(high, NULL, &most));
        ck_assert(low == 2 * (k + 1) && most == 2 * (N - k));
        ck_assert(low_y == (float)(k - N) && high_y == (float)(-1 - k));
        HIT_MUST(hit_launch_on(hit, hit_tile_layout(x), &least_double, some,
                               HIT_RESULT(&most), HIT_RESULT(&low), x));
        ck_assert(most == 2 * (k + 1) && low == 2 * (N - k));
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&high);
    hit_close(&hit);
}
END_TEST

static void expect(hit_status status, hit_status expected, const char *text)
{
    ck_assert_msg(status == expected, "%s", hit_status_text());
    ck_assert_msg(strstr(hit_status_text(), text) != NULL, "%s", hit_status_text());
}

START_TEST(a_wrong_result_is_refused)
{
    const hit_domain all = hit_domain_of(N);
    hit_context *hit;
    hit_tile *x;
    double low = -7;
    float of_float = -7;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[0]}, &hit));
    x = made(hit, HIT_DOUBLE, 2);
    expect(hit_launch(hit, &least_double, all, HIT_RESULT(&low), HIT_RESULT(&low),
                      HIT_RESULT(&low)),
           HIT_E_ARG, "argument x: HIT_RESULT() is for a reduction");
    expect(hit_launch(hit, &least_double, all, HIT_RESULT((double *)NULL),
                      HIT_RESULT(&low), x),
           HIT_E_ARG, "expected an address");
    expect(
        hit_launch(hit, &least_double, all, HIT_RESULT(&low), HIT_RESULT(&of_float), x),
        HIT_E_ARG, "double");
    expect(hit_launch(hit, &rows_double, hit_domain_of(2, 2), HIT_RESULT(&low),
                      HIT_RESULT(&low), x),
           HIT_E_PATTERN, "low");
    ck_assert(low == -7 && of_float == -7);
    HIT_MUST(hit_launch(hit, &least_double, all, HIT_RESULT(&low), HIT_RESULT(&low), x));
    ck_assert(low == 2 * N);
    hit_tile_destroy(&x);
    hit_close(&hit);
}
END_TEST

/* Not what another launch left. */
START_TEST(of_no_indices_it_is_what_reductions_start_from)
{
    hit_context *hit;
    hit_tile *x;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    x = made(hit, HIT_DOUBLE, 2);
    for (int k = 0; k < 4; k++) {
        const hit_domain some = k % 2 == 0 ? hit_domain_of(N) : hit_box_of(5, 4);
        double low = -7;
        double high = -7;

        HIT_MUST(
            hit_launch(hit, &least_double, some, HIT_RESULT(&low), HIT_RESULT(&high), x));
        ck_assert(low == (k % 2 == 0 ? 2 : INFINITY));
        ck_assert(high == (k % 2 == 0 ? 2 * N : -INFINITY));
    }
    hit_tile_destroy(&x);
    hit_close(&hit);
}
END_TEST

/* One process has lost what it should reduce: those that sent it nothing are told, too.
 */
START_TEST(a_result_that_one_process_cannot_find_is_told_to_all)
{
    hit_context *hit;
    hit_tile *x;
    hit_tile *y;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[0]}, &hit));
    x = made(hit, HIT_DOUBLE, 2);
    y = made(hit, HIT_DOUBLE, 3);
    for (int k = 0; k < 3; k++) {
        const int bad = k == 1 && hit_rank(hit) == (hit_size(hit) > 1);
        double low = -7;
        double high = -7;
        hit_status found = hit_launch(hit, &fail_if, hit_domain_of(N), x, HIT_VALUE(bad));

        ck_assert_int_eq(found, bad ? HIT_E_DEVICE : HIT_OK);
        found = hit_launch(hit, &least_double, hit_domain_of(N), HIT_RESULT(&low),
                           HIT_RESULT(&high), x);
        ck_assert(hit_size(hit) == 1 || (found == HIT_OK) == (k != 1));
        HIT_MUST(hit_launch(hit, &least_double, hit_domain_of(N), HIT_RESULT(&low),
                            HIT_RESULT(&high), y));
        ck_assert(low == 3 && high == 3 * N);
        if (k == 1) HIT_MUST(hit_tile_fill(x, &low));
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

START_TEST(a_launch_without_dimensions_runs_once)
{
    enum {
        STEPS = 20
    };
    const double zero = 0;
    double found;
    hit_context *hit;
    hit_tile *at;
    hit_tile *path;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_scalar(), "block", HIT_DOUBLE, "at", &at));
    HIT_MUST(
        hit_tile_make(hit, hit_domain_of(STEPS + 1), "block", HIT_DOUBLE, "path", &path));
    HIT_MUST(hit_tile_fill(at, &zero));
    HIT_MUST(hit_tile_fill(path, &zero));
    for (hit_index s = 0; s < STEPS; s++) {
        hit_layout *by = s % 2 > 0 ? hit_tile_layout(at) : NULL;

        HIT_MUST(hit_launch_on(hit, by, &stepped, hit_domain_scalar(), at, path,
                               HIT_VALUE(s)));
    }
    HIT_MUST(hit_tile_get(at, NULL, &found));
    ck_assert(found == 0.5 * STEPS);
    HIT_MUST(hit_tile_get(path, (hit_index[]){STEPS / 2}, &found));
    ck_assert(found == 0.5);
    HIT_MUST(hit_tile_get(path, (hit_index[]){STEPS}, &found));
    ck_assert(found == -0.5 * STEPS);
    ck_assert_int_eq(hit_launch(hit, &rows_double, hit_domain_scalar(), path, path, path),
                     HIT_E_ARG);
    hit_tile_destroy(&path);
    hit_tile_destroy(&at);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("hit.launch.results");
    TCase *tests = tcase_create("results");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, results_are_there_when_the_launch_returns, 0,
                        sizeof(places) / sizeof(places[0]));
    tcase_add_loop_test(tests, of_no_indices_it_is_what_reductions_start_from, 0,
                        sizeof(places) / sizeof(places[0]));
    tcase_add_test(tests, a_result_that_one_process_cannot_find_is_told_to_all);
    tcase_add_test(tests, a_wrong_result_is_refused);
    tcase_add_loop_test(tests, a_launch_without_dimensions_runs_once, 0,
                        sizeof(places) / sizeof(places[0]));
    suite_add_tcase(suite, tests);
    return suite;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
