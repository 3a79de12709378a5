/* SPDX-License-Identifier: MIT
 * The stopping rule of measurements against tables of Student's t, against two-pass means
 * and deviations, and against how often its intervals hold the truth. */
#include "hit/model/measure.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>

static double uniform(hit_random *random)
{
    return ((double)(hit_random_next(random) >> 11) + 0.5) * 0x1p-53;
}

static double normal(hit_random *random)
{
    double radius = sqrt(-2.0 * log(uniform(random)));

    return radius * cos(4.0 * acos(0.0) * uniform(random));
}

START_TEST(quantiles_are_those_of_published_tables)
{
    static const struct {
        double confidence;
        int freedom;
        double t;
    } table[] = {{0.95, 1, 12.706},   {0.95, 2, 4.303},  {0.95, 3, 3.182},
                 {0.95, 4, 2.776},    {0.95, 5, 2.571},  {0.95, 7, 2.365},
                 {0.95, 9, 2.262},    {0.95, 14, 2.145}, {0.95, 29, 2.045},
                 {0.95, 1000, 1.962}, {0.99, 1, 63.657}, {0.99, 10, 3.169},
                 {0.99, 30, 2.750},   {0.90, 2, 2.920},  {0.90, 20, 1.725},
                 {0.50, 5, 0.727},    {0.999, 4, 8.610}};

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double t = hit_measure_student(table[i].confidence, table[i].freedom);

        ck_assert_double_eq_tol(t, table[i].t, 0.0006);
    }
    ck_assert_double_eq(hit_measure_student(0.95, 5000), hit_measure_student(0.95, 1000));
    ck_assert_double_le(hit_measure_student(0.0, 3), 1e-15);
}
END_TEST

START_TEST(mean_and_half_width_are_those_of_two_passes)
{
    hit_random random = hit_random_start(61);

    for (int i = 0; i < 200; i++) {
        hit_measure_options options = {.relative_error = 1e-12, .time_max_s = 1e30};
        double at = exp(10.0 * uniform(&random));
        double time[30];
        double sum = 0.0;
        double squares = 0.0;
        hit_measure m;

        ck_assert_int_eq(hit_measure_init(&m, 100, &options), HIT_OK);
        for (int k = 0; k < 30; k++) {
            time[k] = at * (1.0 + 0.1 * uniform(&random));
            sum += time[k];
            ck_assert_int_eq(hit_measure_add(&m, time[k]),
                             k < 29 ? HIT_MEASURE_CONTINUE : HIT_MEASURE_REPS);
        }
        for (int k = 0; k < 30; k++) {
            squares += (time[k] - sum / 30.0) * (time[k] - sum / 30.0);
        }
        ck_assert_int_eq(m.reps, 30);
        ck_assert_int_eq(m.units, 100);
        ck_assert_double_eq_tol(m.total_s / sum, 1.0, 1e-12);
        ck_assert_double_eq_tol(m.seconds / (sum / 30.0), 1.0, 1e-12);
        ck_assert_double_eq_tol(
            m.half_width_s / (2.0452296 * sqrt(squares / 29.0 / 30.0)), 1.0, 1e-6);
    }
}
END_TEST

START_TEST(intervals_hold_the_mean_about_as_often_as_promised)
{
    hit_random random = hit_random_start(62);
    int held = 0;
    int stopped_exact = 0;

    for (int i = 0; i < 2000; i++) {
        hit_measure_options options = {.reps_min = 5, .reps_max = 5};
        hit_measure m;

        ck_assert_int_eq(hit_measure_init(&m, 1, &options), HIT_OK);
        for (int k = 0; k < 5; k++) {
            (void)hit_measure_add(&m, 1.0 + 0.02 * normal(&random));
        }
        held += fabs(m.seconds - 1.0) <= m.half_width_s;
        ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
        while (hit_measure_add(&m, 1.0 + 0.05 * normal(&random)) ==
               HIT_MEASURE_CONTINUE) {
        }
        stopped_exact += m.verdict == HIT_MEASURE_EXACT;
    }
    printf("intervals at 0.95: %.3f hold; of 5 %% noise %.3f are narrow within 10 s\n",
           held / 2000.0, stopped_exact / 2000.0);
    ck_assert_int_ge(held, 1870);
    ck_assert_int_le(held, 1930);
}
END_TEST

START_TEST(one_spike_changes_nothing)
{
    hit_random random = hit_random_start(63);

    for (int at = 0; at < 4; at++) {
        for (int i = 0; i < 100; i++) {
            hit_measure m;

            ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
            for (int k = 0; m.verdict == HIT_MEASURE_CONTINUE; k++) {
                const double noise = 0.002 * uniform(&random);

                (void)hit_measure_add(&m, k == at ? 0.5 : 0.001 * (1.0 + noise));
            }
            ck_assert_double_eq_tol(m.seconds, 0.001, 0.00001);
            ck_assert_double_le(m.half_width_s, 0.00001);
            ck_assert_int_eq(m.verdict, HIT_MEASURE_EXACT);
        }
    }
}
END_TEST

START_TEST(every_reason_to_stop_is_given)
{
    hit_measure m;
    hit_measure_options slow = {.time_max_s = 5.0, .relative_error = 1e-9};
    hit_measure_options kill = {.kill_s = 3.0};
    hit_measure_options once = {.reps_min = 1, .reps_max = 1};

    ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, 0.5), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 0.5), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 0.5), HIT_MEASURE_EXACT);
    ck_assert_int_eq(hit_measure_add(&m, 5.0), HIT_MEASURE_CONTINUE); /* others asked */

    ck_assert_int_eq(hit_measure_init(&m, 1, &slow), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, 3.0), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 2.0), HIT_MEASURE_TIME); /* below reps_min */

    ck_assert_int_eq(hit_measure_init(&m, 1, &kill), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, 2.0), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 3.0), HIT_MEASURE_KILLED);
    ck_assert(isinf(m.seconds));
    ck_assert_int_eq(hit_measure_add(&m, 1.0), HIT_MEASURE_KILLED); /* for good */

    ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, INFINITY), HIT_MEASURE_KILLED);
    ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, NAN), HIT_MEASURE_FAILED);
    ck_assert(isinf(m.seconds));
    ck_assert_int_eq(hit_measure_init(&m, 1, NULL), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, -1.0), HIT_MEASURE_FAILED);

    ck_assert_int_eq(hit_measure_init(&m, 1, &once), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, 1.0), HIT_MEASURE_REPS);
    ck_assert(isinf(m.half_width_s));
    ck_assert_str_eq(hit_measure_verdict_name(m.verdict), "reps");
}
END_TEST

START_TEST(times_of_zero_are_exact)
{
    hit_measure m;

    ck_assert_int_eq(hit_measure_init(&m, 0, NULL), HIT_OK);
    ck_assert_int_eq(hit_measure_add(&m, 0.0), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 0.0), HIT_MEASURE_CONTINUE);
    ck_assert_int_eq(hit_measure_add(&m, 0.0), HIT_MEASURE_EXACT);
    ck_assert_double_eq(m.seconds, 0.0);
}
END_TEST

START_TEST(options_out_of_range_are_refused)
{
    static const hit_measure_options wrong[] = {
        {.relative_error = -0.1}, {.relative_error = NAN}, {.confidence = 1.0},
        {.confidence = -1.0},     {.reps_min = -1},        {.reps_max = 2},
        {.time_max_s = -1.0},     {.kill_s = NAN},         {.confidence = NAN}};
    hit_measure m;

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq(hit_measure_init(&m, 1, &wrong[i]), HIT_E_ARG);
    }
    ck_assert_int_eq(hit_measure_init(&m, -1, NULL), HIT_E_ARG);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hit/model/measure");
    TCase *tc = tcase_create("measure");

    tcase_add_test(tc, quantiles_are_those_of_published_tables);
    tcase_add_test(tc, mean_and_half_width_are_those_of_two_passes);
    tcase_add_test(tc, intervals_hold_the_mean_about_as_often_as_promised);
    tcase_add_test(tc, every_reason_to_stop_is_given);
    tcase_add_test(tc, one_spike_changes_nothing);
    tcase_add_test(tc, times_of_zero_are_exact);
    tcase_add_test(tc, options_out_of_range_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
