/* SPDX-License-Identifier: MIT
 * Performance models against looking at every point and every load. */
#include "hit/model/fpm.h"
#include "hit/model/fpm_time.h"
#include "tests/support/check_main.h"
#include "tests/support/fpm_case.h"

#include <math.h>
#include <stdlib.h>

static bool close(double a, double b)
{
    if (isinf(a) || isinf(b)) return isinf(a) && isinf(b);
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/** A time, speed or seconds of one of the loads up to @p most, or a random one. */
static double pick_seconds(hit_random *random, const hit_fpm *fpm, hit_index most)
{
    double seconds = hit_fpm_time(fpm, hit_random_index(random, 0, most));

    if (hit_random_index(random, 0, 2) == 0) {
        seconds *= (double)hit_random_index(random, 0, 2000) / 1000.0;
    }
    return isnan(seconds) ? 0.0 : seconds;
}

START_TEST(times_are_those_of_a_look_at_every_point)
{
    hit_random random = hit_random_start(31);

    for (int i = 0; i < 7000; i++) {
        fpm_case one = fpm_case_random(&random, (fpm_case_shape)(i % CASE_SHAPES), 30);
        hit_fpm *fpm = fpm_case_model(&one);
        bool good = true;

        for (hit_index x = 0; x <= 60; x++) {
            double seconds = hit_fpm_time(fpm, x);

            good = good && close(seconds, fpm_case_time(&one, x));
            /* the speed is the same thing, where there is no cap */
            if (one.kind != HIT_FPM_TABLE && x > 0 && x <= one.cap) {
                double speed = hit_fpm_speed(fpm, (double)x);

                good = good &&
                       (speed > 0.0 ? close((double)x / speed, seconds) : isinf(seconds));
                good = good && speed <= hit_fpm_fastest(fpm) * (1.0 + 1e-12);
            }
        }
        hit_fpm_destroy(&fpm);
        ck_assert_msg(good, "case %d", i);
    }
}
END_TEST

START_TEST(loads_within_a_time_are_those_that_take_at_most_that)
{
    hit_random random = hit_random_start(32);

    for (int i = 0; i < 14000; i++) {
        fpm_case one = fpm_case_random(&random, (fpm_case_shape)(i % CASE_SHAPES), 30);
        hit_fpm *fpm = fpm_case_model(&one);
        hit_index most = hit_random_index(&random, 0, 60);
        double seconds = pick_seconds(&random, fpm, most);
        hit_spans loads = {0};
        hit_index largest = 0;
        bool good = true;

        HIT_MUST(hit_fpm_within(fpm, seconds, most, &loads));
        for (hit_index x = 0; x <= 61; x++) {
            double took = hit_fpm_time(fpm, x);
            bool in_time = x <= most && took <= seconds && isfinite(took);

            if (in_time) largest = x;
            /* rounding may make equal times differ in the last bit */
            if (close(took, seconds) && took > 0.0 && isfinite(took)) continue;
            good = good && fpm_case_has(&loads, x) == in_time;
        }
        if (!close(hit_fpm_time(fpm, largest), seconds)) {
            hit_index found = hit_fpm_inverse(fpm, seconds, most);

            good = good && (found == largest || close(hit_fpm_time(fpm, found), seconds));
        }
        hit_spans_clear(&loads);
        hit_fpm_destroy(&fpm);
        ck_assert_msg(good, "case %d", i);
    }
}
END_TEST

START_TEST(loads_within_a_time_are_found_among_10_to_the_18)
{
    hit_random random = hit_random_start(33);

    for (int i = 0; i < 5000; i++) {
        fpm_case one = fpm_case_random(&random, (fpm_case_shape)(i % CASE_TABLE),
                                       INT64_C(1000000000000000000));
        hit_fpm *fpm = fpm_case_model(&one);
        hit_index most = i % 3 == 0 ? INT64_MAX : INT64_C(1200000000000000000);
        double seconds = pick_seconds(&random, fpm, most);
        hit_spans loads = {0};
        bool good = true;

        HIT_MUST(hit_fpm_within(fpm, seconds, most, &loads));
        good = loads.span[0].first == 0;
        for (size_t k = 0; k < loads.count; k++) {
            hit_span span = loads.span[k];

            good = good && hit_fpm_time(fpm, span.first) <= seconds &&
                   hit_fpm_time(fpm, span.last) <= seconds && span.last <= most;
            if (k == 0 && hit_fpm_is_monotone(fpm)) {
                good = good && span.last == hit_fpm_inverse(fpm, seconds, most);
            }
            if (span.last < most && isfinite(seconds)) { /* equal but for rounding */
                good = good && (hit_fpm_time(fpm, span.last + 1) > seconds ||
                                close(hit_fpm_time(fpm, span.last + 1), seconds));
            }
        }
        hit_spans_clear(&loads);
        hit_fpm_destroy(&fpm);
        ck_assert_msg(good, "case %d", i);
    }
}
END_TEST

START_TEST(monotone_is_what_never_falls)
{
    hit_random random = hit_random_start(34);
    int monotone = 0;

    for (int i = 0; i < 14000; i++) {
        fpm_case one = fpm_case_random(&random, (fpm_case_shape)(i % CASE_SHAPES), 20);
        hit_fpm *fpm = fpm_case_model(&one);
        bool falls = false;

        /* a fall between two whole loads cannot be seen, and the model may say so */
        for (hit_index x = 1; x <= 40 && x <= one.cap; x++) {
            double before = hit_fpm_time(fpm, x - 1);
            double after = hit_fpm_time(fpm, x);

            falls = falls || (after < before && !close(after, before));
        }
        if (hit_fpm_is_monotone(fpm)) monotone++;
        ck_assert_msg(!falls || !hit_fpm_is_monotone(fpm), "case %d", i);
        hit_fpm_destroy(&fpm);
    }
    ck_assert_int_gt(monotone, 4000);
    ck_assert_int_lt(monotone, 12000);
}
END_TEST

START_TEST(a_model_is_monotone_if_speed_rises_at_most_in_proportion)
{
    const hit_fpm_point steep[] = {{10, 10, 1}, {20, 20.1, 1}};
    const hit_fpm_point straight[] = {{20, 20, 1}, {10, 10, 1}};
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, steep, &fpm));
    ck_assert(!hit_fpm_is_monotone(fpm));
    HIT_MUST(hit_fpm_set_cap(fpm, 10)); /* what falls is above the cap */
    ck_assert(hit_fpm_is_monotone(fpm));
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, straight, &fpm));
    ck_assert(hit_fpm_is_monotone(fpm));
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(points_of_equal_units_become_their_mean_time)
{
    const hit_fpm_point speeds[] = {{10, 10, 1}, {10, 2, 3}, {20, 5, 1}};
    const hit_fpm_point times[] = {{2, 3, 1}, {1, 1, 1}, {2, 5, 1}, {0, 0, 1}};
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 3, speeds, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 2);
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 10), (1.0 + 3.0 * 5.0) / 4.0, 1e-12);
    ck_assert_double_eq_tol(hit_fpm_point_at(fpm, 0).reps, 4.0, 1e-15);
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, 4, times, &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 2);
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 2), 4.0, 1e-15);
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(adding_one_by_one_gives_the_same_model)
{
    hit_random random = hit_random_start(35);

    for (int i = 0; i < 2000; i++) {
        fpm_case one = fpm_case_random(&random, i % 2 ? CASE_SMOOTH : CASE_PLATEAU, 50);
        hit_fpm *at_once = NULL;
        hit_fpm *grown = NULL;
        bool good = true;

        for (size_t k = 0; k < one.count; k++) {
            one.point[k].units = fmax(one.point[k].units, 1.0);
        }
        HIT_MUST(hit_fpm_create(one.kind, one.count, one.point, &at_once));
        HIT_MUST(hit_fpm_create(one.kind, 0, NULL, &grown));
        for (size_t k = 0; k < one.count; k++) {
            const hit_fpm_point *p = &one.point[k];

            HIT_MUST(hit_fpm_add(grown, p->units, p->units / p->value, p->reps));
        }
        for (hit_index x = 0; x < 80; x++) {
            good = good && close(hit_fpm_time(grown, x), hit_fpm_time(at_once, x));
        }
        hit_fpm_destroy(&at_once);
        hit_fpm_destroy(&grown);
        ck_assert_msg(good, "case %d", i);
    }
}
END_TEST

START_TEST(wrong_points_are_told)
{
    const hit_fpm_point wrong[] = {{-1, 1, 1},  {1, -1, 1},       {1, NAN, 1},
                                   {NAN, 1, 1}, {INFINITY, 1, 1}, {1, INFINITY, 1},
                                   {1, 1, 0},   {1, 1, NAN}};
    hit_fpm *fpm = NULL;

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 1, &wrong[k], &fpm),
                         HIT_E_ARG);
    }
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_TABLE, 1, &(hit_fpm_point){1.5, 1, 1}, &fpm),
                     HIT_E_ARG);
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_TABLE, 1, &(hit_fpm_point){0, 1, 1}, &fpm),
                     HIT_E_ARG);
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_CONSTANT, 0, NULL, &fpm), HIT_E_ARG);
    ck_assert_ptr_null(fpm);
    HIT_MUST(hit_fpm_constant(5.0, &fpm));
    ck_assert_int_eq(hit_fpm_add(fpm, 1, 1, 1), HIT_E_ARG);
    ck_assert_int_eq(hit_fpm_set_cap(fpm, -1), HIT_E_ARG);
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    ck_assert_int_eq(hit_fpm_add(fpm, 1, 0, 1), HIT_E_ARG);
    ck_assert_int_eq(hit_fpm_add(fpm, 0, 1, 1), HIT_E_ARG);
    ck_assert_int_eq(hit_fpm_add(fpm, 1, INFINITY, 1), HIT_E_ARG);
    ck_assert(isinf(hit_fpm_time(fpm, 1)));
    hit_fpm_destroy(&fpm);
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(the_granularity_of_a_table_divides_its_loads)
{
    const hit_fpm_point points[] = {{60, 1, 1}, {36, 1, 1}, {84, 1, 1}};
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, 3, points, &fpm));
    ck_assert_int_eq(hit_fpm_granularity(fpm), 12);
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 3, points, &fpm));
    ck_assert_int_eq(hit_fpm_granularity(fpm), 1);
    hit_fpm_destroy(&fpm);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("fpm");
    TCase *tcase = tcase_create("fpm");

    tcase_add_test(tcase, times_are_those_of_a_look_at_every_point);
    tcase_add_test(tcase, loads_within_a_time_are_those_that_take_at_most_that);
    tcase_add_test(tcase, loads_within_a_time_are_found_among_10_to_the_18);
    tcase_add_test(tcase, monotone_is_what_never_falls);
    tcase_add_test(tcase, a_model_is_monotone_if_speed_rises_at_most_in_proportion);
    tcase_add_test(tcase, points_of_equal_units_become_their_mean_time);
    tcase_add_test(tcase, adding_one_by_one_gives_the_same_model);
    tcase_add_test(tcase, wrong_points_are_told);
    tcase_add_test(tcase, the_granularity_of_a_table_divides_its_loads);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
