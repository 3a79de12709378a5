/* SPDX-License-Identifier: MIT
 * Geometric partitioning against brute force where times never fall, against the optimal
 * algorithm in large cases, and the two baselines. */
#include "layouts/partition/algorithms.h"
#include "layouts/partition/even.h"
#include "layouts/partition/partition_impl.h"
#include "tests/layouts/partition/partition_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

#define MOST 10000

START_TEST(it_equals_brute_force_where_speeds_are_constant)
{
    partition_check_best(hit_partition_gpa, CASE_CONSTANT, CASE_CONSTANT, 4000, 51);
}
END_TEST

START_TEST(it_equals_brute_force_where_times_rise)
{
    partition_check_best(hit_partition_gpa, CASE_CONSTANT, CASE_SMOOTH, 6000, 52);
    partition_check_best(hit_partition_gpa, CASE_RISING, CASE_RISING, 4000, 53);
}
END_TEST

START_TEST(it_equals_brute_force_where_times_are_constant_over_ranges)
{
    hit_random random = hit_random_start(54);
    int tried = 0;

    for (int k = 0; k < hit_random_cases(12000); k++) {
        fpm_case cases[6];
        hit_fpm *model[6];
        int parts;
        hit_index n =
            partition_case(&random, CASE_SMOOTH, CASE_PLATEAU, &parts, cases, model);
        double best = fpm_case_best(n, parts, cases);
        partition_result found =
            partition_try(hit_partition_gpa, n, parts, (const hit_fpm *const *)model);

        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
        ck_assert_msg(found.sound, "case %d", k);
        if (found.status == HIT_E_ARG) continue; /* not monotone */
        tried++;
        ck_assert_msg(found.status == (isinf(best) ? HIT_E_LIMIT : HIT_OK), "case %d", k);
        if (isinf(best)) continue;
        ck_assert_msg(fabs(found.makespan_s - best) <= 1e-12 * best, "case %d", k);
    }
    ck_assert_int_gt(tried, hit_random_cases(3000));
}
END_TEST

/** Speeds that fall, from 1 to @p ratio, with caps for some. */
static void make_models(hit_random *random, int parts, hit_index ratio, hit_index n,
                        hit_fpm *model[])
{
    for (int i = 0; i < parts; i++) {
        double speed = (double)hit_random_index(random, 1, ratio);
        double size = 2.0 * (double)n / parts;
        hit_fpm_point point[3] = {{size / 10, speed, 1},
                                  {size, speed * 0.8, 1},
                                  {size * 1.01, speed * 0.01, 1}}; /* a cliff */

        HIT_MUST(
            hit_fpm_create(HIT_FPM_FUNCTIONAL, i % 3 == 0 ? 2 : 3, point, &model[i]));
        if (i % 7 == 0) HIT_MUST(hit_fpm_set_cap(model[i], 1 + n / parts / 2));
    }
}

START_TEST(large_cases_are_optimal_at_any_ratio)
{
    static const hit_index ratios[] = {1, 1000, 1000000};
    static const hit_index sizes[] = {0,
                                      1,
                                      999,
                                      123456789,
                                      INT64_C(1000000000000000),
                                      INT64_C(4611686018427387904),
                                      INT64_MAX};
    static const int counts[] = {1, 2, 10, 300, MOST};
    hit_random random = hit_random_start(55);
    hit_fpm **model = calloc(MOST, sizeof(hit_fpm *));

    ck_assert_ptr_nonnull(model);
    for (int k = 0; k < 3 * 7 * 5; k++) {
        int parts = counts[k / 21];
        hit_index n = sizes[k % 21 / 3];

        make_models(&random, parts, ratios[k % 3], n, model);
        if (parts == 1) HIT_MUST(hit_fpm_set_cap(model[0], INT64_MAX));
        partition_check_sound(hit_partition_gpa, n, parts, (const hit_fpm *const *)model,
                              1.0);
        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
    }
    free(model);
}
END_TEST

START_TEST(ties_go_to_the_lowest_index)
{
    hit_fpm *fpm = NULL;
    const hit_fpm *model[4];
    hit_index share[4];
    hit_partition_info info;

    HIT_MUST(hit_fpm_constant(2.0, &fpm));
    for (int i = 0; i < 4; i++) {
        model[i] = fpm;
    }
    HIT_MUST(hit_partition_gpa(10, 4, model, share, &info));
    ck_assert_int_eq(share[0], 3);
    ck_assert_int_eq(share[1], 3);
    ck_assert_int_eq(share[2], 2);
    ck_assert_int_eq(share[3], 2);
    ck_assert_str_eq(info.algorithm, "gpa");
    HIT_MUST(hit_partition_gpa(1, 4, model, share, &info));
    ck_assert_int_eq(share[0], 1);
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(even_shares_differ_by_one_at_most_below_limits)
{
    hit_random random = hit_random_start(56);

    for (int k = 0; k < hit_random_cases(4000); k++) {
        hit_index n = hit_random_index(&random, 0, 100);
        int parts = (int)hit_random_index(&random, 1, 12);
        hit_fpm *model[12];
        hit_index share[12];
        hit_index room = 0;
        hit_index least = INT64_MAX;
        hit_index sum = 0;
        bool good = true;
        hit_status st;

        for (int i = 0; i < parts; i++) {
            hit_index cap = hit_random_index(&random, 0, 3) > 0
                                ? 1000
                                : hit_random_index(&random, 0, 15);

            HIT_MUST(
                hit_fpm_constant((double)hit_random_index(&random, 1, 9), &model[i]));
            HIT_MUST(hit_fpm_set_cap(model[i], cap));
            room += cap;
        }
        st = hit_partition_even(n, parts, (const hit_fpm *const *)model, share, NULL);
        ck_assert_int_eq(st, room < n ? HIT_E_LIMIT : HIT_OK);
        for (int i = 0; i < parts && st == HIT_OK; i++) {
            if (share[i] < hit_fpm_cap(model[i]) && share[i] < least) least = share[i];
            sum += share[i];
        }
        for (int i = 0; i < parts; i++) {
            if (st == HIT_OK) good = good && share[i] <= hit_fpm_cap(model[i]);
            if (st == HIT_OK) good = good && (share[i] <= least || share[i] - least <= 1);
            hit_fpm_destroy(&model[i]);
        }
        ck_assert_msg(good && (st != HIT_OK || sum == n), "case %d", k);
    }
}
END_TEST

START_TEST(baselines_are_sound_for_all_models)
{
    hit_random random = hit_random_start(57);
    int possible = 0;

    for (int k = 0; k < hit_random_cases(6000); k++) {
        fpm_case cases[6];
        hit_fpm *model[6];
        int parts;
        hit_index n =
            partition_case(&random, CASE_CONSTANT, CASE_GAPS, &parts, cases, model);
        const hit_fpm *const *models = (const hit_fpm *const *)model;
        partition_result even = partition_try(hit_partition_even, n, parts, models);
        partition_result single = partition_try(hit_partition_single, n, parts, models);

        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
        ck_assert_msg(even.sound && single.sound, "case %d", k);
        ck_assert(even.status == HIT_OK || even.status == HIT_E_LIMIT);
        ck_assert(single.status == HIT_OK || single.status == HIT_E_LIMIT);
        possible += single.status == HIT_OK;
    }
    ck_assert_int_gt(possible, hit_random_cases(2000));
}
END_TEST

START_TEST(the_constant_speed_is_that_of_an_even_share)
{
    /* 100 units per s at 50 units, 10 at 100 */
    const hit_fpm_point points[] = {{50, 100, 1}, {100, 10, 1}};
    hit_fpm *fpm[2] = {NULL, NULL};
    hit_index share[2];

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, points, &fpm[0]));
    HIT_MUST(hit_fpm_constant(25.0, &fpm[1]));
    HIT_MUST(hit_partition_single(100, 2, (const hit_fpm *const *)fpm, share, NULL));
    ck_assert_int_eq(share[0], 80);
    ck_assert_int_eq(share[1], 20);
    hit_fpm_destroy(&fpm[0]);
    hit_fpm_destroy(&fpm[1]);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("gpa");
    TCase *tcase = tcase_create("gpa");

    tcase_add_test(tcase, it_equals_brute_force_where_speeds_are_constant);
    tcase_add_test(tcase, it_equals_brute_force_where_times_rise);
    tcase_add_test(tcase, it_equals_brute_force_where_times_are_constant_over_ranges);
    tcase_add_test(tcase, large_cases_are_optimal_at_any_ratio);
    tcase_add_test(tcase, ties_go_to_the_lowest_index);
    tcase_add_test(tcase, even_shares_differ_by_one_at_most_below_limits);
    tcase_add_test(tcase, baselines_are_sound_for_all_models);
    tcase_add_test(tcase, the_constant_speed_is_that_of_an_even_share);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
