/* SPDX-License-Identifier: MIT
 * Reductions by functions of the program's types, exact sums among them: the same bits
 * on all numbers of processes, devices, memories and layouts as by plain loops; what the
 * checks say of them. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/hit.h"
#include "tests/hit/run/reduce_types.h"
#include "tests/support/check_main.h"
#include "tests/support/exact.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel greatest, exact, jumps, product, assigns;

enum {
    N = 53,
    M = 19
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static const char *const devices[] = {"host:threads=1", "host:threads=3",
                                      "host:staged:memory=64KiB:threads=2",
                                      "host:threads=1 + host:threads=2"};
static const char *const layouts[] = {"block", "cyclic", "blockcyclic:block=5x3",
                                      "block:dims=1"};

enum {
    DEVICES = sizeof(devices) / sizeof(devices[0]),
    CASES = DEVICES * sizeof(layouts) / sizeof(layouts[0])
};

/* Numbers of all sizes, many of them twice. */
static double number_at(hit_index i, hit_index j)
{
    hit_random random = {(uint64_t)(i * 7 % N * 100 + j * 5 % M + 1)};
    const double fraction = (double)hit_random_index(&random, -1000003, 1000003);

    return ldexp(fraction / 3, (int)hit_random_index(&random, -200, 200));
}

static hit_tile *make(hit_context *hit, hit_domain domain, const char *layout,
                      hit_type type)
{
    hit_tile *made = NULL;

    HIT_MUST(hit_tile_make(hit, domain, layout, type, "tile", &made));
    return made;
}

static hit_tile *make_numbers(hit_context *hit, const char *layout)
{
    hit_tile *made = make(hit, hit_domain_of(N, M), layout, HIT_DOUBLE);

    for (int k = 0; k < hit_tile_pieces(made); k++) {
        hit_view view;
        hit_index at[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(made, k, HIT_WRITE, &view));
        for (bool more = hit_domain_first(&view.domain, at); more;
             more = hit_domain_next(&view.domain, at)) {
            *(double *)hit_view_at(&view, at) = number_at(at[0], at[1]);
        }
    }
    return made;
}

static place greatest_of(hit_index first, hit_index last)
{
    place best = {0, -1};

    for (hit_index i = first; i <= last; i++) {
        for (hit_index j = 0; j < M; j++) {
            const place mine = {number_at(i, j), 1000 * i + j};

            place_combine(&best, &mine);
        }
    }
    return best;
}

static double column_of(hit_index j)
{
    double term[N];

    for (hit_index i = 0; i < N; i++) {
        term[i] = number_at(i, j);
    }
    return exact_sum(N, term);
}

static double all_of(void)
{
    static double term[N * M];

    for (hit_index k = 0; k < (hit_index)N * M; k++) {
        term[k] = number_at(k / M, k % M);
    }
    return exact_sum(N * M, term);
}

static double jumps_of(void)
{
    static double term[N * M];
    int terms = 0;

    for (hit_index i = 1; i < N - 1; i++) {
        for (hit_index j = 0; j < M; j++) {
            term[terms++] = number_at(i + 1, j) - number_at(i - 1, j);
        }
    }
    return exact_sum(terms, term);
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Every process looks at all elements, in the same order. */
static double sum_at(hit_tile *tile, hit_index at)
{
    hit_sum sum;

    HIT_MUST(hit_tile_get(tile, &at, &sum));
    return hit_sum_value(&sum);
}

static bool same_place(hit_tile *tile, hit_index at, place right)
{
    place found;

    HIT_MUST(hit_tile_get(tile, &at, &found));
    return same(found.value, right.value) && found.at == right.at;
}

static bool greatest_is_right(hit_context *hit, hit_tile *x)
{
    hit_tile *most = make(hit, hit_domain_scalar(), "block", HIT_BYTES(place));
    hit_tile *row = make(hit, hit_domain_of(N), "block", HIT_BYTES(place));
    bool right;

    HIT_MUST(hit_launch(hit, &greatest, hit_domain_of(N, M), most, row, x));
    right = same_place(most, 0, greatest_of(0, N - 1));
    for (hit_index i = 0; i < N; i++) {
        right = same_place(row, i, greatest_of(i, i)) && right;
    }
    hit_tile_destroy(&most);
    hit_tile_destroy(&row);
    return right;
}

static bool sums_are_right(hit_context *hit, hit_tile *x)
{
    const hit_domain inner = {2, {{1, N - 2, 1}, {0, M - 1, 1}}};
    hit_tile *total = make(hit, hit_domain_scalar(), "block", HIT_BYTES(hit_sum));
    hit_tile *column = make(hit, hit_domain_of(M), "block", HIT_BYTES(hit_sum));
    bool right;

    HIT_MUST(hit_launch(hit, &exact, hit_domain_of(N, M), total, column, x));
    right = same(sum_at(total, 0), all_of());
    for (hit_index j = 0; j < M; j++) {
        right = same(sum_at(column, j), column_of(j)) && right;
    }
    HIT_MUST(hit_launch(hit, &jumps, inner, total, x));
    right = same(sum_at(total, 0), jumps_of()) && right;
    hit_tile_destroy(&total);
    hit_tile_destroy(&column);
    return right;
}

START_TEST(results_are_those_of_plain_loops)
{
    const hit_options options = {.devices = devices[_i % DEVICES]};
    const char *layout = layouts[_i / DEVICES];
    hit_context *hit = NULL;
    bool places;
    bool sums;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    hit_tile *x = make_numbers(hit, layout);
    places = greatest_is_right(hit, x);
    sums = sums_are_right(hit, x);
    hit_tile_destroy(&x);
    hit_close(&hit);
    ck_assert_msg(places && sums, "%s, %s: places %d, sums %d", options.devices, layout,
                  places, sums);
}
END_TEST

/* Launches a kernel over numbers that are all 3. */
static hit_status launch_threes(const char *check, const hit_kernel *kernel,
                                uint64_t *found)
{
    const hit_options options = {.devices = "host:threads=2"};
    const uint64_t three = 3;
    hit_context *hit = NULL;
    hit_status status;

    setenv("HIT_CHECK", check, 1);
    status = hit_open_with(NULL, NULL, &options, &hit);
    unsetenv("HIT_CHECK");
    HIT_MUST(status);
    hit_tile *x = make(hit, hit_domain_of(N), "block", HIT_UINT64);
    hit_tile *all = make(hit, hit_domain_scalar(), "block", HIT_UINT64);
    HIT_MUST(hit_tile_fill(x, &three));
    status = hit_launch(hit, kernel, hit_domain_of(N), all, x);
    if (status == HIT_OK) HIT_MUST(hit_tile_get(all, (hit_index[]){0}, found));
    hit_tile_destroy(&x);
    hit_tile_destroy(&all);
    hit_close(&hit);
    return status;
}

START_TEST(numbers_are_multiplied_from_one_on)
{
    uint64_t found = 0;
    uint64_t right = 1;

    for (int i = 0; i < N; i++) {
        right *= 3;
    }
    ck_assert_int_eq(launch_threes("0", &product, &found), HIT_OK);
    ck_assert_uint_eq(found, right);
    found = 0;
    ck_assert_int_eq(launch_threes("1", &product, &found), HIT_OK);
    ck_assert_uint_eq(found, right);
}
END_TEST

START_TEST(a_body_that_does_not_combine_is_found)
{
    uint64_t found = 0;

    ck_assert_int_eq(launch_threes("1", &assigns, &found), HIT_E_CHECK);
    ck_assert_msg(strstr(hit_status_text(), "mode reduce combines with what is there") !=
                      NULL,
                  "%s", hit_status_text());
}
END_TEST

START_TEST(a_reduction_without_functions_is_refused)
{
    hit_kernel without = product;
    uint64_t found = 0;

    without.reduction[0] = NULL;
    ck_assert_int_eq(launch_threes("0", &without, &found), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "kernel product, argument all: ") != NULL &&
                      strstr(hit_status_text(), "HIT_REDUCTION") != NULL,
                  "%s", hit_status_text());
}
END_TEST

START_TEST(a_kernel_of_whole_boxes_cannot_reduce)
{
    hit_kernel whole = product;
    uint64_t found = 0;

    whole.whole_box = 1;
    ck_assert_int_eq(launch_threes("0", &whole, &found), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), "a whole-box kernel cannot reduce") != NULL,
                  "%s", hit_status_text());
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("reduce_types");
    TCase *tests = tcase_create("reductions");

    tcase_add_loop_test(tests, results_are_those_of_plain_loops, 0, CASES);
    tcase_add_test(tests, numbers_are_multiplied_from_one_on);
    tcase_add_test(tests, a_body_that_does_not_combine_is_found);
    tcase_add_test(tests, a_reduction_without_functions_is_refused);
    tcase_add_test(tests, a_kernel_of_whole_boxes_cannot_reduce);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
