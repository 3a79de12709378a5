/* SPDX-License-Identifier: MIT
 * Numerical partitioning: near the optimum or declined, whatever the models; the curves
 * it works on. */
#include "hit/model/fpm_impl.h"
#include "layouts/partition/algorithms.h"
#include "tests/layouts/partition/partition_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(it_is_near_the_optimum_or_declines_and_says_so)
{
    hit_random random = hit_random_start(61);
    int given = 0;
    int declined = 0;

    for (int k = 0; k < hit_random_cases(8000); k++) {
        fpm_case cases[6];
        hit_fpm *model[6];
        int parts;
        hit_index n =
            partition_case(&random, CASE_CONSTANT, CASE_GAPS, &parts, cases, model);
        double best = fpm_case_best(n, parts, cases);
        partition_result found = partition_try(hit_partition_numerical, n, parts,
                                               (const hit_fpm *const *)model);

        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
        ck_assert_msg(found.sound, "case %d", k);
        if (found.status == HIT_E_LIMIT) {
            ck_assert_msg(isinf(best), "case %d", k);
        } else if (found.status == HIT_OK) {
            given++;
            ck_assert_msg(found.makespan_s <= best * 1.1 * (1.0 + 1e-12), "case %d", k);
        } else {
            declined++;
            ck_assert_int_eq(found.status, HIT_E_ARG);
            ck_assert_ptr_nonnull(strstr(hit_status_text(), "declines"));
        }
    }
    printf("given %d, declined %d\n", given, declined);
    ck_assert_int_gt(given, hit_random_cases(2000));
}
END_TEST

/** The speed of a device with a cache and a soft limit of memory. */
static double smooth_speed(double units, double size, double speed)
{
    double warm = units / (units + 0.02 * size);

    return speed * warm * (1.2 - 0.8 / (1.0 + exp(-6.0 * (units / size - 1.0))));
}

START_TEST(smooth_models_are_solved_in_few_steps)
{
    hit_random random = hit_random_start(62);
    const hit_index n = 1000000;

    for (int k = 0; k < 300; k++) {
        int parts = (int)hit_random_index(&random, 2, 20);
        hit_fpm *model[20];
        hit_index share[20];
        hit_partition_info info;

        for (int i = 0; i < parts; i++) {
            double size =
                (double)n / parts * (double)hit_random_index(&random, 5, 30) / 10;
            double speed = (double)hit_random_index(&random, 100, 10000);

            HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &model[i]));
            for (int p = 1; p <= 30; p++) {
                double units = size * p / 10;

                HIT_MUST(hit_fpm_add(model[i], units,
                                     units / smooth_speed(units, size, speed), 1));
            }
        }
        ck_assert_msg(hit_partition_numerical(n, parts, (const hit_fpm *const *)model,
                                              share, &info) == HIT_OK,
                      "case %d: %s", k, hit_status_text());
        ck_assert_int_le(info.iterations, 30);
        partition_check_sound(hit_partition_numerical, n, parts,
                              (const hit_fpm *const *)model, 1.02);
        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
    }
}
END_TEST

START_TEST(large_cases_with_limits_are_near_the_optimum)
{
    static const hit_index sizes[] = {0, 1, 999, INT64_C(1000000000000000), INT64_MAX};
    static const int counts[] = {1, 2, 100, 10000};
    hit_random random = hit_random_start(63);
    hit_fpm **model = calloc(10000, sizeof(hit_fpm *));

    ck_assert_ptr_nonnull(model);
    for (int k = 0; k < 20; k++) {
        hit_index n = sizes[k % 5];
        int parts = counts[k / 5];

        for (int i = 0; i < parts; i++) {
            HIT_MUST(
                hit_fpm_constant((double)hit_random_index(&random, 1, 1000), &model[i]));
            if (i % 5 == 1) HIT_MUST(hit_fpm_set_cap(model[i], n / parts / 3));
            if (i % 11 == 3) HIT_MUST(hit_fpm_set_cap(model[i], 0));
        }
        partition_check_sound(hit_partition_numerical, n, parts,
                              (const hit_fpm *const *)model, 1.1);
        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
    }
    free(model);
}
END_TEST

START_TEST(a_cliff_is_declined)
{
    const hit_fpm_point cliff[] = {{10, 100, 1}, {20, 100, 1}, {30, 100, 1},
                                   {40, 100, 1}, {50, 100, 1}, {51, 0, 1}};
    hit_fpm *fpm = NULL;
    const hit_fpm *model[2];
    hit_index share[2];

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 6, cliff, &fpm));
    model[0] = fpm;
    model[1] = fpm;
    ck_assert_int_eq(hit_partition_numerical(60, 2, model, share, NULL), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "numerical declines"));
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(curves_go_through_their_points_with_the_slopes_they_say)
{
    hit_random random = hit_random_start(64);

    for (int k = 0; k < hit_random_cases(2000); k++) {
        fpm_case one = fpm_case_random(&random, CASE_SMOOTH, 60);
        hit_fpm_akima *akima = NULL;
        hit_fpm *fpm;
        bool good = true;

        if (one.count == 1 && one.point[0].units == 0.0) continue;
        fpm = fpm_case_model(&one);
        HIT_MUST(hit_fpm_akima_create(fpm, &akima));
        for (size_t p = 0; p < hit_fpm_count(fpm); p++) {
            double at = hit_fpm_point_at(fpm, p).units;
            double want = hit_fpm_point_time(fpm, p);
            double slope;
            double near = hit_fpm_akima_time(akima, at, &slope);

            good = good && fabs(near - want) <= 1e-9 * want;
        }
        for (int step = 0; step < 70; step++) {
            double x = 0.3717 + 1.13 * step; /* never a node */
            double slope;
            double left;
            double right;
            double ignored;

            (void)hit_fpm_akima_time(akima, x, &slope);
            left = hit_fpm_akima_time(akima, x - 1e-6, &ignored);
            right = hit_fpm_akima_time(akima, x + 1e-6, &ignored);
            good = good && fabs((right - left) / 2e-6 - slope) <=
                               1e-4 * (fabs(slope) + fabs(right / x));
        }
        hit_fpm_akima_destroy(&akima);
        hit_fpm_destroy(&fpm);
        ck_assert_msg(good, "case %d", k);
    }
}
END_TEST

START_TEST(a_curve_keeps_straight_lines_and_is_smooth_elsewhere)
{
    hit_fpm *fpm = NULL;
    hit_fpm_akima *akima = NULL;
    double slope;

    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, 0, NULL, &fpm));
    for (int x = 1; x <= 10; x++) { /* t = x up to 5, then 5 + 3 (x - 5) */
        HIT_MUST(hit_fpm_add(fpm, x, x <= 5 ? x : 3 * x - 10, 1));
    }
    HIT_MUST(hit_fpm_akima_create(fpm, &akima));
    ck_assert_double_eq_tol(hit_fpm_akima_time(akima, 2.5, &slope), 2.5, 1e-12);
    ck_assert_double_eq_tol(slope, 1.0, 1e-12);
    ck_assert_double_eq_tol(hit_fpm_akima_time(akima, 8.5, &slope), 15.5, 1e-12);
    ck_assert_double_eq_tol(slope, 3.0, 1e-12);
    ck_assert_double_eq_tol(hit_fpm_akima_time(akima, 20.0, &slope), 40.0, 1e-12);
    hit_fpm_akima_destroy(&akima);
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(the_slope_at_a_node_leans_to_the_straighter_side)
{
    static const double seconds[] = {1, 2, 4, 7, 11}; /* secants 1, 1, 2, 3, 4 */
    hit_fpm *fpm = NULL;
    hit_fpm_akima *akima = NULL;
    double slope;

    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, 0, NULL, &fpm));
    for (int x = 1; x <= 5; x++) {
        HIT_MUST(hit_fpm_add(fpm, x, seconds[x - 1], 1));
    }
    HIT_MUST(hit_fpm_akima_create(fpm, &akima));
    (void)hit_fpm_akima_time(akima, 2.0, &slope);
    ck_assert_double_eq_tol(slope, 1.0, 1e-12);
    (void)hit_fpm_akima_time(akima, 3.0, &slope);
    ck_assert_double_eq_tol(slope, 2.5, 1e-12);
    hit_fpm_akima_destroy(&akima);
    hit_fpm_destroy(&fpm);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("numerical");
    TCase *tcase = tcase_create("numerical");

    tcase_add_test(tcase, it_is_near_the_optimum_or_declines_and_says_so);
    tcase_add_test(tcase, smooth_models_are_solved_in_few_steps);
    tcase_add_test(tcase, large_cases_with_limits_are_near_the_optimum);
    tcase_add_test(tcase, a_cliff_is_declined);
    tcase_add_test(tcase, curves_go_through_their_points_with_the_slopes_they_say);
    tcase_add_test(tcase, a_curve_keeps_straight_lines_and_is_smooth_elsewhere);
    tcase_add_test(tcase, the_slope_at_a_node_leans_to_the_straighter_side);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
