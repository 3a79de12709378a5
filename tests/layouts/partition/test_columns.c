/* SPDX-License-Identifier: MIT
 * Rectangles in columns by speeds: small planes against all columns, heights and widths;
 * and large ones. */
#include "layouts/partition/algorithms.h"
#include "tests/layouts/partition/plane_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

/* ---- sizes ---- */

/** The least makespan of any heights and widths, of columns that are given. */
static double best_sizes(const hit_plane *plane, const int column_of[], int used)
{
    double tau[8];
    double least = INFINITY;
    hit_index width[8] = {0};

    /* the least time of a column per unit of its width: heights are tried one by one */
    for (int c = 0; c < used; c++) {
        tau[c] = plane_case_column(plane, column_of, c, 0, plane->rows);
    }
    for (bool more = plane_case_first(used, plane->columns, width); more;
         more = plane_case_next(used, width)) {
        double makespan = 0.0;

        for (int c = 0; c < used; c++) {
            if (width[c] > 0) makespan = fmax(makespan, tau[c] * (double)width[c]);
        }
        least = fmin(least, makespan);
    }
    return least;
}

START_TEST(no_heights_and_widths_of_given_columns_end_earlier)
{
    hit_random random = hit_random_start(32);

    for (int i = 0; i < hit_random_cases(3000); i++) {
        const int parts = (int)hit_random_index(&random, 1, 5);
        const int used = (int)hit_random_index(&random, 1, parts);
        double speed[5];
        int column_of[5];
        hit_rect rect[5];
        hit_plane plane = {.rows = hit_random_index(&random, 1, 7),
                           .columns = hit_random_index(&random, 1, 7),
                           .parts = parts,
                           .speed = speed};
        double best;

        plane_case_speeds(&random, parts, speed);
        for (int k = 0; k < parts; k++) {
            column_of[k] = (int)hit_random_index(&random, -1, used - 1);
        }
        best = best_sizes(&plane, column_of, used);
        if (isinf(best)) {
            ck_assert_int_eq(hit_plane_given_columns(&plane, column_of, rect),
                             HIT_E_LIMIT);
            continue;
        }
        ck_assert_int_eq(hit_plane_given_columns(&plane, column_of, rect), HIT_OK);
        plane_case_check(&plane, rect);
        ck_assert_double_eq_tol(hit_plane_makespan(&plane, rect), best, 1e-12 * best);
    }
}
END_TEST

/* ---- columns ---- */

/** Does everybody who can do something take part? */
static bool all_take_part(const hit_plane *plane, const int column_of[])
{
    for (int i = 0; i < plane->parts; i++) {
        if (plane->speed[i] > 0.0 && column_of[i] < 0) return false;
    }
    return true;
}

/** Over all columns that parts can be put in: the least makespan, and the least sum of
 * half-perimeters of those that take at most @p limit and in which all take part. */
static void try_all(const hit_plane *plane, double limit, double *makespan,
                    double *around)
{
    int column_of[6] = {-1, -1, -1, -1, -1, -1};

    *makespan = INFINITY;
    *around = INFINITY;
    for (int at = 0; at < plane->parts;) {
        hit_rect rect[6];

        if (hit_plane_given_columns(plane, column_of, rect) == HIT_OK) {
            const double now = hit_plane_makespan(plane, rect);

            *makespan = fmin(*makespan, now);
            if (now <= limit && all_take_part(plane, column_of)) {
                *around = fmin(*around, hit_plane_half_perimeter(plane, rect));
            }
        }
        for (at = 0; at < plane->parts && ++column_of[at] == plane->parts; at++) {
            column_of[at] = -1;
        }
    }
}

START_TEST(no_columns_of_few_parts_are_much_faster_or_communicate_less)
{
    hit_random random = hit_random_start(33);

    for (int i = 0; i < hit_random_cases(300); i++) {
        double speed[5];
        hit_rect rect[5];
        hit_plane plane = {.rows = hit_random_index(&random, 1, 12),
                           .columns = hit_random_index(&random, 1, 12),
                           .parts = (int)hit_random_index(&random, 1, 5),
                           .speed = speed,
                           .slack = i % 4 == 0 ? 1e-9 : 0.0};
        const double slack = i % 4 == 0 ? 1e-9 : 0.05;
        double fastest;
        double around;

        plane_case_speeds(&random, plane.parts, speed);
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        try_all(&plane, INFINITY, &fastest, &around);
        ck_assert_double_le(hit_plane_makespan(&plane, rect),
                            fastest * (1.0 + slack) * (1.0 + 1e-12));
        try_all(&plane, fastest * (1.0 + slack) * (1.0 - 1e-12), &fastest, &around);
        ck_assert_double_le(hit_plane_half_perimeter(&plane, rect), around);
    }
}
END_TEST

START_TEST(among_equally_fast_columns_those_that_communicate_least_are_taken)
{
    const double equal[] = {1, 1, 1, 1};
    hit_plane plane = {.rows = 100, .columns = 100, .parts = 4, .speed = equal};
    hit_rect rect[4];

    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    ck_assert_double_eq(hit_plane_half_perimeter(&plane, rect), 400.0);
    ck_assert_double_eq(hit_plane_makespan(&plane, rect), 2500.0);
    plane = (hit_plane){.rows = 4, .columns = 1000, .parts = 4, .speed = equal};
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    ck_assert_double_eq(hit_plane_half_perimeter(&plane, rect), 4.0 * 254.0);
    plane = (hit_plane){.rows = 1000, .columns = 4, .parts = 4, .speed = equal};
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    ck_assert_double_eq(hit_plane_half_perimeter(&plane, rect), 4.0 * 254.0);
}
END_TEST

START_TEST(wide_columns_stand_left_and_parts_in_their_order)
{
    const double speed[] = {1, 6, 1, 2, 2};
    hit_plane plane = {.rows = 12, .columns = 12, .parts = 5, .speed = speed};
    hit_rect rect[5];

    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_eq(hit_plane_makespan(&plane, rect), 12.0);
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < i; j++) {
            if (rect[i].column == rect[j].column) {
                ck_assert_int_gt(rect[i].row, rect[j].row);
            }
            if (rect[i].column < rect[j].column) {
                ck_assert_int_ge(rect[i].width, rect[j].width);
            }
        }
    }
}
END_TEST

START_TEST(large_planes_are_tiled_exactly_and_near_the_bounds)
{
    hit_random random = hit_random_start(34);

    for (int i = 0; i < hit_random_cases(300); i++) {
        double speed[300];
        hit_rect rect[300];
        hit_plane plane = {.rows = hit_random_index(&random, 20000, 1000000000),
                           .columns = hit_random_index(&random, 20000, 1000000000),
                           .parts =
                               (int)hit_random_index(&random, 1, i % 10 == 0 ? 300 : 70),
                           .speed = speed};
        double sum = 0.0;
        double roots = 0.0;
        double area = (double)plane.rows * (double)plane.columns;

        for (int k = 0; k < plane.parts; k++) {
            speed[k] = (double)hit_random_index(&random, 100, 1000);
            sum += speed[k];
        }
        for (int k = 0; k < plane.parts; k++) {
            roots += 2.0 * sqrt(speed[k] / sum * area);
        }
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        ck_assert_double_le(hit_plane_makespan(&plane, rect), 1.051 * area / sum);
        ck_assert_double_ge(hit_plane_half_perimeter(&plane, rect), 0.97 * roots);
        if (plane.parts < 10 || plane.rows > 4 * plane.columns ||
            plane.columns > 4 * plane.rows) {
            continue;
        }
        ck_assert_double_le(hit_plane_half_perimeter(&plane, rect), 1.1 * roots);
    }
}
END_TEST

START_TEST(ten_thousand_parts_are_tiled)
{
    const int parts = hit_random_cases(10000);
    static const hit_index side[][2] = {
        {20000, 20000}, {30, 30}, {1, 1000000}, {1000000, 1}, {3, 5000}};
    hit_random random = hit_random_start(35);
    double *speed = calloc((size_t)parts, sizeof *speed);
    hit_rect *rect = calloc((size_t)parts, sizeof *rect);

    ck_assert(speed != NULL && rect != NULL);
    for (int i = 0; i < parts; i++) {
        speed[i] = (double)hit_random_index(&random, 1, 1000);
    }
    for (int i = 0; i < 5; i++) {
        hit_plane plane = {side[i][0], side[i][1], parts, speed, NULL, 0.0};

        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
    }
    free(speed);
    free(rect);
}
END_TEST

START_TEST(more_parts_than_units_leave_the_slow_ones_idle)
{
    double speed[40];
    hit_rect rect[40];
    hit_plane plane = {.rows = 3, .columns = 3, .parts = 40, .speed = speed};

    for (int i = 0; i < 40; i++) {
        speed[i] = 1.0;
    }
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_eq(hit_plane_makespan(&plane, rect), 1.0);
    speed[17] = 100.0;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_eq(hit_plane_makespan(&plane, rect), 0.09);
}
END_TEST

START_TEST(slow_parts_are_not_in_the_way_of_fast_ones)
{
    const double some[] = {3, 1, 2, 1, 3, 1, 3, 3, 1};
    double many[65] = {1, 1, 4, 1, 4, 1, 1, 2, 1};
    hit_rect rect[65];
    hit_plane plane = {.rows = 3, .columns = 3, .parts = 9, .speed = some};

    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_le(hit_plane_makespan(&plane, rect), 2.0 / 3.0);
    for (int i = 9; i < 65; i++) {
        many[i] = 0.25;
    }
    plane = (hit_plane){.rows = 5, .columns = 3, .parts = 65, .speed = many};
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_le(hit_plane_makespan(&plane, rect), 1.0);
}
END_TEST

/** The mean of makespan / that of units which need not be rectangles, on small planes. */
static double mean_off(hit_random *random, int low, int high)
{
    enum {
        CASES = 25
    };
    double sum = 0.0;

    for (int i = 0; i < CASES; i++) {
        double speed[400];
        hit_rect rect[400];
        hit_index share[400];
        double bound = 0.0;
        hit_plane plane = {.rows = hit_random_index(random, 5, 60),
                           .columns = hit_random_index(random, 5, 60),
                           .parts = (int)hit_random_index(random, low, high),
                           .speed = speed};

        for (int k = 0; k < plane.parts; k++) {
            speed[k] = (double)hit_random_index(random, 1, 100);
        }
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        ck_assert_int_eq(
            hit_partition_cpm(plane.rows * plane.columns, plane.parts, speed, share),
            HIT_OK);
        for (int k = 0; k < plane.parts; k++) {
            if (share[k] > 0) bound = fmax(bound, (double)share[k] / speed[k]);
        }
        sum += hit_plane_makespan(&plane, rect) / bound;
    }
    return sum / CASES;
}

START_TEST(many_parts_of_few_units_each_round_well)
{
    hit_random random = hit_random_start(37);

    ck_assert_double_le(mean_off(&random, 20, 60), 1.12);
    ck_assert_double_le(mean_off(&random, 61, 150), 1.1);
    ck_assert_double_le(mean_off(&random, 150, 400), 1.05);
}
END_TEST

START_TEST(planes_without_units_and_speeds_of_0_are_told_apart)
{
    const double idle[] = {0, 0};
    const double wrong[] = {1, NAN};
    const double half[] = {0, 5};
    hit_rect rect[2] = {{1, 1, 1, 1}, {1, 1, 1, 1}};
    hit_plane plane = {.rows = 0, .columns = 9, .parts = 2, .speed = idle};

    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    plane.rows = 4;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_LIMIT);
    ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_E_LIMIT);
    plane.speed = half;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_int_eq(rect[1].height * rect[1].width, 36);
    plane.speed = wrong;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_ARG);
    plane.speed = half;
    plane.parts = 0;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_ARG);
    plane.parts = 2;
    plane.columns = -1;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_ARG);
    plane.columns = INT64_MAX;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_ARG);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("columns");
    TCase *tcase = tcase_create("columns");

    tcase_add_test(tcase, no_heights_and_widths_of_given_columns_end_earlier);
    tcase_add_test(tcase, no_columns_of_few_parts_are_much_faster_or_communicate_less);
    tcase_add_test(tcase,
                   among_equally_fast_columns_those_that_communicate_least_are_taken);
    tcase_add_test(tcase, wide_columns_stand_left_and_parts_in_their_order);
    tcase_add_test(tcase, large_planes_are_tiled_exactly_and_near_the_bounds);
    tcase_add_test(tcase, ten_thousand_parts_are_tiled);
    tcase_add_test(tcase, more_parts_than_units_leave_the_slow_ones_idle);
    tcase_add_test(tcase, slow_parts_are_not_in_the_way_of_fast_ones);
    tcase_add_test(tcase, many_parts_of_few_units_each_round_well);
    tcase_add_test(tcase, planes_without_units_and_speeds_of_0_are_told_apart);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
