/* SPDX-License-Identifier: MIT
 * Cartesian cuts: rows are cut once and columns once. */
#include "layouts/partition/algorithms.h"
#include "tests/layouts/partition/plane_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>

/* No two rectangles begin inside each other's rows or columns. */
static void check_cuts(const hit_plane *plane, const hit_rect rect[])
{
    for (int i = 0; i < plane->parts; i++) {
        for (int j = 0; j < plane->parts; j++) {
            if (rect[i].height == 0 || rect[j].height == 0) continue;
            ck_assert(rect[i].row == rect[j].row
                          ? rect[i].height == rect[j].height
                          : rect[i].row + rect[i].height <= rect[j].row ||
                                rect[j].row + rect[j].height <= rect[i].row);
            ck_assert(rect[i].column == rect[j].column
                          ? rect[i].width == rect[j].width
                          : rect[i].column + rect[i].width <= rect[j].column ||
                                rect[j].column + rect[j].width <= rect[i].column);
        }
    }
}

START_TEST(cuts_go_through_the_plane)
{
    hit_random random = hit_random_start(71);

    for (int i = 0; i < 500; i++) {
        double speed[24];
        hit_rect rect[24];
        hit_plane plane = {.rows = hit_random_index(&random, 0, 3000),
                           .columns = hit_random_index(&random, 1, 3000),
                           .parts = (int)hit_random_index(&random, 1, 24),
                           .speed = speed};

        plane_case_speeds(&random, plane.parts, speed);
        ck_assert_int_eq(hit_partition_cartesian(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        check_cuts(&plane, rect);
    }
}
END_TEST

START_TEST(speeds_that_are_products_are_met)
{
    double speed[6];
    hit_rect rect[6];
    hit_plane plane = {.rows = 600, .columns = 700, .parts = 6, .speed = speed};
    const int at[6] = {4, 2, 0, 5, 1, 3}; /* in any order */

    for (int k = 0; k < 6; k++) {
        speed[at[k]] = (k / 3 == 0 ? 1.0 : 2.0) * (k % 3 == 0   ? 1.0
                                                   : k % 3 == 1 ? 2.0
                                                                : 4.0);
    }
    plane.slack = 1e-9;
    ck_assert_int_eq(hit_partition_cartesian(&plane, rect), HIT_OK);
    ck_assert_double_eq_tol(hit_plane_makespan(&plane, rect), 600 * 700 / 21.0, 1e-6);
}
END_TEST

/* ---- brute force ---- */

typedef struct brute {
    const hit_plane *plane;
    int rows, columns; /* of the grid */
    int part[4];
    double best;
} brute;

static double slowest(const brute *b, const hit_index height[], const hit_index width[])
{
    double makespan = 0;

    for (int i = 0; i < b->rows * b->columns; i++) {
        const int row = i / b->columns;
        const double units = (double)(height[row] * width[i % b->columns]);

        if (units > 0) makespan = fmax(makespan, units / b->plane->speed[b->part[i]]);
    }
    return makespan;
}

/* All ways to write @p units as @p count numbers from share[k] on; next: what follows. */
static void all_widths(brute *b, const hit_index height[], hit_index width[], int k,
                       hit_index units)
{
    if (k == b->columns - 1) {
        width[k] = units;
        b->best = fmin(b->best, slowest(b, height, width));
        return;
    }
    for (width[k] = 0; width[k] <= units; width[k]++) {
        all_widths(b, height, width, k + 1, units - width[k]);
    }
}

static void all_heights(brute *b, hit_index height[], int k, hit_index units)
{
    hit_index width[4];

    if (k == b->rows - 1) {
        height[k] = units;
        all_widths(b, height, width, 0, b->plane->columns);
        return;
    }
    for (height[k] = 0; height[k] <= units; height[k]++) {
        all_heights(b, height, k + 1, units - height[k]);
    }
}

/* All orders of the parts, of which the first rows x columns stand in the grid. */
static void all_orders(brute *b, int k)
{
    hit_index height[4];

    if (k == b->plane->parts) {
        all_heights(b, height, 0, b->plane->rows);
        return;
    }
    for (int i = k; i < b->plane->parts; i++) {
        const int one = b->part[k];

        b->part[k] = b->part[i];
        b->part[i] = one;
        all_orders(b, k + 1);
        b->part[i] = b->part[k];
        b->part[k] = one;
    }
}

START_TEST(small_planes_are_near_the_best)
{
    hit_random random = hit_random_start(72);
    const int cases = hit_random_cases(4000);
    double worst = 1;

    for (int i = 0; i < cases; i++) {
        double speed[4];
        hit_rect rect[4];
        hit_plane plane = {.rows = hit_random_index(&random, 2, 6),
                           .columns = hit_random_index(&random, 2, 6),
                           .parts = (int)hit_random_index(&random, 1, 4),
                           .speed = speed,
                           .slack = 1e-9};
        brute b = {.plane = &plane, .part = {0, 1, 2, 3}, .best = INFINITY};

        for (int k = 0; k < 4; k++) {
            speed[k] = (double)hit_random_index(&random, 1, 9);
        }
        for (b.rows = 1; b.rows <= plane.parts; b.rows++) {
            for (b.columns = 1; b.rows * b.columns <= plane.parts; b.columns++) {
                all_orders(&b, 0);
            }
        }
        ck_assert_int_eq(hit_partition_cartesian(&plane, rect), HIT_OK);
        ck_assert_double_ge(hit_plane_makespan(&plane, rect), b.best * (1 - 1e-12));
        worst = fmax(worst, hit_plane_makespan(&plane, rect) / b.best);
    }
    printf("worst of %d planes: %.3f of the best\n", cases, worst);
    ck_assert_double_le(worst, 1.15);
}
END_TEST

START_TEST(models_and_speeds_of_zero_are_refused)
{
    const double speed[2] = {0, 0};
    const hit_fpm *const model[2] = {NULL, NULL};
    hit_rect rect[2];
    hit_plane plane = {.rows = 4, .columns = 4, .parts = 2, .speed = speed};

    ck_assert_int_eq(hit_partition_cartesian(&plane, rect), HIT_E_LIMIT);
    plane.fpm = model;
    ck_assert_int_eq(hit_partition_cartesian(&plane, rect), HIT_E_ARG);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("cartesian");
    TCase *tcase = tcase_create("cartesian");

    tcase_add_test(tcase, cuts_go_through_the_plane);
    tcase_add_test(tcase, speeds_that_are_products_are_met);
    tcase_add_test(tcase, small_planes_are_near_the_best);
    tcase_add_test(tcase, models_and_speeds_of_zero_are_refused);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
