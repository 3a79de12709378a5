/* SPDX-License-Identifier: MIT
 * Grids: equally many rectangles in every column. */
#include "layouts/partition/algorithms.h"
#include "tests/layouts/partition/plane_case.h"
#include "tests/support/check_main.h"

START_TEST(grids_have_equally_many_parts_in_every_column)
{
    hit_random random = hit_random_start(36);

    for (int i = 0; i < 500; i++) {
        double speed[24];
        hit_rect rect[24];
        hit_plane plane = {.rows = hit_random_index(&random, 1, 3000),
                           .columns = hit_random_index(&random, 1, 3000),
                           .parts = (int)hit_random_index(&random, 1, 24),
                           .speed = speed};

        plane_case_speeds(&random, plane.parts, speed);
        ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        if (i % 2 == 0) continue;
        /* where speeds are similar and units many, nobody is idle in a column */
        plane.rows += 3000;
        plane.columns += 3000;
        for (int k = 0; k < plane.parts; k++) {
            speed[k] = (double)hit_random_index(&random, 90, 110);
        }
        ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        for (int k = 0, count = 0; k < plane.parts; k++) {
            int same = 0;

            if (rect[k].height == 0) continue;
            for (int j = 0; j < plane.parts; j++) {
                if (rect[j].height > 0 && rect[j].column == rect[k].column) same++;
            }
            if (count == 0) count = same;
            ck_assert_int_eq(same, count);
        }
    }
}
END_TEST

START_TEST(a_prime_number_of_parts_idles_one_if_that_is_fast_enough)
{
    double speed[29];
    hit_rect rect[29];
    hit_plane plane = {.rows = 2900, .columns = 2900, .parts = 29, .speed = speed};

    for (int k = 0; k < 29; k++) {
        speed[k] = k == 11 ? 0.9 : 1.0;
    }
    ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_int_eq(rect[11].height, 0);
    ck_assert_double_eq(hit_plane_half_perimeter(&plane, rect), 11.0 * 2900);
    plane.slack = 0.01;
    ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_int_gt(rect[11].height, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("grid2d");
    TCase *tcase = tcase_create("grid2d");

    tcase_add_test(tcase, grids_have_equally_many_parts_in_every_column);
    tcase_add_test(tcase, a_prime_number_of_parts_idles_one_if_that_is_fast_enough);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
