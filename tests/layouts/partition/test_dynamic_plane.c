/* SPDX-License-Identifier: MIT
 * Balancing rectangles in columns by measuring, against columns by the true times. */
#include "layouts/partition/algorithms.h"
#include "layouts/partition/dynamic/dynamic.h"
#include "tests/layouts/partition/speeds.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>

/** The makespan of columns that know the true times. */
static double columns_optimum(const hit_plane *plane, const speed s[])
{
    hit_plane known = *plane;
    hit_fpm *model[5] = {NULL};
    hit_rect rect[5];
    hit_index share[5];

    known.fpm = (const hit_fpm *const *)model;
    known.slack = 1e-9;
    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &model[k]), HIT_OK);
        for (double x = 1.0; x < 200000.0; x = ceil(x * 1.02)) {
            hit_index units = (hit_index)x;

            ck_assert_int_eq(hit_fpm_add(model[k], x, speed_time(&s[k], units), 1.0),
                             HIT_OK);
        }
        for (int side = 0; side < 2; side++) {
            hit_index units = (hit_index)s[k].at + side;

            ck_assert_int_eq(
                hit_fpm_add(model[k], (double)units, speed_time(&s[k], units), 1.0),
                HIT_OK);
        }
    }
    ck_assert_int_eq(hit_partition_columns(&known, rect), HIT_OK);
    for (int k = 0; k < 5; k++) {
        share[k] = rect[k].height * rect[k].width;
        hit_fpm_destroy(&model[k]);
    }
    return speed_makespan(5, s, share);
}

START_TEST(rectangles_of_a_plane_are_balanced)
{
    hit_random random = hit_random_start(73);
    hit_dynamic_options options = {.noise = -1.0};
    double worst = 0.0;
    double mean = 0.0;
    int rounds = 0;

    for (int i = 0; i < 20; i++) {
        hit_plane plane = {.rows = 300, .columns = 500, .parts = 5};
        hit_dynamic *d = NULL;
        hit_dynamic_verdict verdict;
        speed s[5];
        hit_index share[5];
        hit_rect rect[5];
        double seconds[5];
        double ratio;
        hit_index sum;

        for (int k = 0; k < 5; k++) {
            s[k] = speed_random(&random, k % 2 == 0 ? SPEED_CLIFF : SPEED_FALLS, 30000);
        }
        ck_assert_int_eq(hit_dynamic_create_plane(&plane, &options, &d), HIT_OK);
        ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
        while (verdict == HIT_DYNAMIC_CONTINUE) {
            hit_dynamic_rects(d, rect);
            sum = 0;
            for (int k = 0; k < 5; k++) {
                sum += share[k];
                ck_assert_int_eq(rect[k].height * rect[k].width, share[k]);
                seconds[k] = speed_time(&s[k], share[k]);
            }
            ck_assert_int_eq(sum, 150000);
            ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
        }
        hit_dynamic_rects(d, rect);
        ck_assert_int_eq(rect[4].height * rect[4].width, share[4]);
        ratio = speed_makespan(5, s, share) / columns_optimum(&plane, s);
        worst = fmax(worst, ratio);
        mean += ratio / 20;
        if (hit_dynamic_rounds(d) > rounds) rounds = hit_dynamic_rounds(d);
        hit_dynamic_destroy(&d);
    }
    printf("plane of 300 x 500, 5 processes, cliffs: at most %d rounds, ratio %.3f, %.3f "
           "on average\n",
           rounds, worst, mean);
    ck_assert_double_le(mean, 1.05);
    ck_assert_double_le(worst, 1.10); /* 1.05 are given for shorter borders */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("layouts/partition/dynamic_plane");
    TCase *tc = tcase_create("dynamic_plane");

    tcase_add_test(tc, rectangles_of_a_plane_are_balanced);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
