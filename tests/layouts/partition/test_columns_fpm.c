/* SPDX-License-Identifier: MIT
 * Rectangles in columns by models: small planes against all columns, heights and widths,
 * large ones against the partition of units that need not be rectangles. */
#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/partition.h"
#include "tests/layouts/partition/plane_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEW = 4,
    SMALL = 8
};

/** What models have: speeds that only fall, that may rise steeply, limits. */
enum {
    FALLING = 1,
    CAPPED = 2
};

static void random_models(hit_random *random, int parts, int kind, hit_fpm *fpm[])
{
    for (int i = 0; i < parts; i++) {
        hit_fpm_point point[4];
        const size_t count = (size_t)hit_random_index(random, 1, 4);
        double units = 0.0;

        for (size_t k = 0; k < count; k++) {
            double speed = (double)hit_random_index(random, 1, 20);

            units += (double)hit_random_index(random, 1, 20);
            if ((kind & FALLING) != 0 && k > 0) speed = fmin(speed, point[k - 1].value);
            point[k] = (hit_fpm_point){units, speed, 1.0};
        }
        ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, count, point, &fpm[i]),
                         HIT_OK);
        if ((kind & CAPPED) == 0 || hit_random_index(random, 0, 1) == 0) continue;
        ck_assert_int_eq(hit_fpm_set_cap(fpm[i], hit_random_index(random, 0, 40)),
                         HIT_OK);
    }
}

static void destroy_models(int parts, hit_fpm *fpm[])
{
    for (int i = 0; i < parts; i++) {
        hit_fpm_destroy(&fpm[i]);
    }
}

/** The least time of column @p c of width @p width, over all heights of its parts. */
static double column_time(const hit_plane *plane, const int column_of[], int c, int part,
                          hit_index rows, hit_index width)
{
    double least = INFINITY;

    if (part == plane->parts) return rows == 0 ? 0.0 : INFINITY;
    if (column_of[part] != c) {
        return column_time(plane, column_of, c, part + 1, rows, width);
    }
    for (hit_index height = 0; height <= rows; height++) {
        double time = column_time(plane, column_of, c, part + 1, rows - height, width);

        time = fmax(time, hit_fpm_time(plane->fpm[part], height * width));
        least = fmin(least, time);
    }
    return least;
}

static double best_of_columns(const hit_plane *plane, const int column_of[], int used)
{
    double time[FEW][SMALL + 1];
    hit_index width[FEW];
    double least = INFINITY;

    for (int c = 0; c < used; c++) {
        for (hit_index w = 0; w <= plane->columns; w++) {
            time[c][w] =
                w == 0 ? 0.0 : column_time(plane, column_of, c, 0, plane->rows, w);
        }
    }
    for (bool more = plane_case_first(used, plane->columns, width); more;
         more = plane_case_next(used, width)) {
        double makespan = 0.0;

        for (int c = 0; c < used; c++) {
            makespan = fmax(makespan, time[c][width[c]]);
        }
        least = fmin(least, makespan);
    }
    return least;
}

/** The least makespan of any columns; parts from @p part on are put into some. */
static double best_of_all(const hit_plane *plane, int column_of[], int part, int used)
{
    double least = INFINITY;

    if (part == plane->parts) return best_of_columns(plane, column_of, used);
    for (int c = 0; c <= used; c++) {
        column_of[part] = c;
        least = fmin(
            least, best_of_all(plane, column_of, part + 1, c == used ? used + 1 : used));
    }
    return least;
}

/** The largest found / best of @p tries random planes. */
static double worst_of(hit_random *random, int tries, int kind, double slack)
{
    double worst = 1.0;

    for (int i = 0; i < tries; i++) {
        hit_fpm *fpm[FEW];
        int column_of[FEW];
        hit_rect rect[FEW];
        hit_plane plane = {.rows = hit_random_index(random, 1, SMALL),
                           .columns = hit_random_index(random, 1, SMALL),
                           .parts = (int)hit_random_index(random, 1, FEW),
                           .fpm = (const hit_fpm *const *)fpm,
                           .slack = slack};
        double best;

        random_models(random, plane.parts, kind, fpm);
        best = best_of_all(&plane, column_of, 0, 0);
        if (isinf(best)) {
            ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_LIMIT);
        } else {
            ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
            plane_case_check(&plane, rect);
            worst = fmax(worst, hit_plane_makespan(&plane, rect) / best);
        }
        destroy_models(plane.parts, fpm);
    }
    return worst;
}

START_TEST(no_columns_tile_a_small_plane_faster)
{
    hit_random random = hit_random_start(61);

    for (int kind = 0; kind <= (FALLING | CAPPED); kind++) {
        ck_assert_double_le(worst_of(&random, 300, kind, 1e-12), 1.0 + 1e-9);
    }
}
END_TEST

START_TEST(four_thousand_planes_take_at_most_5_percent_longer_than_the_best_columns)
{
    hit_random random = hit_random_start(67);

    for (int kind = 0; kind <= (FALLING | CAPPED); kind++) {
        ck_assert_double_le(worst_of(&random, 1000, kind, 0.0), 1.05 * (1.0 + 1e-9));
    }
}
END_TEST

START_TEST(no_heights_and_widths_are_better_for_given_columns)
{
    hit_random random = hit_random_start(64);
    int slower = 0;
    int missed = 0;

    for (int i = 0; i < 600; i++) {
        hit_fpm *fpm[FEW];
        int column_of[FEW];
        hit_rect rect[FEW];
        const int used = (int)hit_random_index(&random, 1, FEW);
        hit_plane plane = {.rows = hit_random_index(&random, 1, SMALL),
                           .columns = hit_random_index(&random, 1, SMALL),
                           .parts = FEW,
                           .fpm = (const hit_fpm *const *)fpm};
        double best;

        random_models(&random, FEW, i % 4, fpm);
        for (int k = 0; k < FEW; k++) {
            column_of[k] = k < used ? k : (int)hit_random_index(&random, 0, used - 1);
        }
        best = best_of_columns(&plane, column_of, used);
        if (hit_plane_given_columns(&plane, column_of, rect) == HIT_OK) {
            plane_case_check(&plane, rect);
            if (hit_plane_makespan(&plane, rect) > best * (1.0 + 1e-9)) slower++;
        } else if (isfinite(best)) {
            missed++;
        }
        destroy_models(FEW, fpm);
    }
    ck_assert_int_eq(slower, 0);
    ck_assert_int_eq(missed, 0);
}
END_TEST

/** As many nodes of 4 kinds with a memory cliff each, the larger ones faster. */
static void platform(int parts, double cliff, hit_fpm *fpm[])
{
    for (int i = 0; i < parts; i++) {
        const double speed = 1000.0 * (1 + i % 4);
        const double most = cliff * (double)(1 + (i + 1) % 3);
        const hit_fpm_point point[] = {{1, speed / 2, 1},
                                       {100, speed, 1},
                                       {most, speed, 1},
                                       {1.05 * most, speed / 12, 1}};

        ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 4, point, &fpm[i]), HIT_OK);
    }
}

START_TEST(planes_beyond_a_memory_cliff_are_tiled_nearly_as_fast_as_units_alone)
{
    static const int parts[] = {1, 8, 20, 90};
    hit_fpm *fpm[90];
    hit_rect rect[90];
    hit_index share[90];

    for (int i = 0; i < 4; i++) {
        for (hit_index side = 300; side <= 3000; side += 300) {
            hit_plane plane = {side, side, parts[i], NULL, (const hit_fpm *const *)fpm,
                               0};
            hit_partition_info info;

            platform(parts[i], 1e6 / parts[i], fpm);
            ck_assert_int_eq(
                hit_partition_fpm(side * side, parts[i], plane.fpm, share, &info),
                HIT_OK);
            ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
            plane_case_check(&plane, rect);
            ck_assert_double_le(hit_plane_makespan(&plane, rect), 1.08 * info.makespan_s);
            ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
            plane_case_check(&plane, rect);
            destroy_models(parts[i], fpm);
        }
    }
}
END_TEST

static hit_fpm *limited(double speed, hit_index cap)
{
    hit_fpm *fpm;

    ck_assert_int_eq(hit_fpm_constant(speed, &fpm), HIT_OK);
    ck_assert_int_eq(hit_fpm_set_cap(fpm, cap), HIT_OK);
    return fpm;
}

START_TEST(a_slow_part_takes_what_rectangles_leave_of_full_ones)
{
    hit_fpm *fpm[] = {limited(1000.0, 5), limited(1000.0, 4), limited(1.0, INT64_MAX)};
    hit_plane plane = {3, 3, 3, NULL, (const hit_fpm *const *)fpm, 0.0};
    hit_rect rect[3];

    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_eq_tol(hit_plane_makespan(&plane, rect), 2.0, 1e-12);
    ck_assert_int_eq(hit_partition_grid(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_double_eq_tol(hit_plane_makespan(&plane, rect), 3.0, 1e-12);
    destroy_models(3, fpm);
}
END_TEST

/** GPUs filled to their memory, whose rectangles do not fit it exactly, beside cores. */
START_TEST(many_full_parts_leave_a_rectangle_to_slow_ones)
{
    for (int gpus = 2; gpus <= 20; gpus++) {
        hit_fpm *fpm[24];
        hit_rect rect[24];
        hit_plane plane = {300, 100, gpus + 4, NULL, (const hit_fpm *const *)fpm, 0.0};
        double cores = 0.0;

        for (int i = 0; i < plane.parts; i++) {
            fpm[i] = i < gpus ? limited(1e9, 30000 / gpus) : limited(1.0, INT64_MAX);
        }
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        for (int i = gpus; i < plane.parts; i++) {
            cores += (double)(rect[i].height * rect[i].width);
        }
        ck_assert_double_le(cores, 0.05 * 30000);
        destroy_models(plane.parts, fpm);
    }
}
END_TEST

START_TEST(constant_models_give_what_speeds_give)
{
    hit_random random = hit_random_start(63);

    for (int i = 0; i < 100; i++) {
        hit_fpm *fpm[6];
        double speed[6];
        hit_rect rect[6];
        hit_plane plane = {.rows = hit_random_index(&random, 1, 400),
                           .columns = hit_random_index(&random, 1, 400),
                           .parts = (int)hit_random_index(&random, 1, 6),
                           .speed = speed,
                           .slack = 1e-9};
        double by_speeds;

        plane_case_speeds(&random, plane.parts, speed);
        for (int k = 0; k < plane.parts; k++) {
            ck_assert_int_eq(hit_fpm_constant(speed[k], &fpm[k]), HIT_OK);
        }
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        by_speeds = hit_plane_makespan(&plane, rect);
        plane.fpm = (const hit_fpm *const *)fpm;
        ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
        plane_case_check(&plane, rect);
        ck_assert_double_le(hit_plane_makespan(&plane, rect), by_speeds * (1.0 + 1e-9));
        destroy_models(plane.parts, fpm);
    }
}
END_TEST

START_TEST(a_table_is_only_used_for_the_loads_it_has)
{
    const hit_fpm_point loads[] = {{12, 1, 1}, {24, 2, 1}};
    const hit_fpm_point others[] = {{24, 1, 1}};
    hit_fpm *fpm[2];
    hit_rect rect[2];
    hit_plane plane = {6, 6, 2, NULL, (const hit_fpm *const *)fpm, 0.0};

    ck_assert_int_eq(hit_fpm_create(HIT_FPM_TABLE, 2, loads, &fpm[0]), HIT_OK);
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_TABLE, 1, others, &fpm[1]), HIT_OK);
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_OK);
    plane_case_check(&plane, rect);
    ck_assert_int_eq(rect[0].height * rect[0].width, 12);
    plane.rows = 5;
    ck_assert_int_eq(hit_partition_columns(&plane, rect), HIT_E_LIMIT);
    destroy_models(2, fpm);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("columns by models");
    TCase *tcase = tcase_create("columns by models");

    tcase_add_test(tcase, no_columns_tile_a_small_plane_faster);
    tcase_add_test(tcase, a_slow_part_takes_what_rectangles_leave_of_full_ones);
    tcase_add_test(tcase, many_full_parts_leave_a_rectangle_to_slow_ones);
    tcase_add_test(tcase,
                   planes_beyond_a_memory_cliff_are_tiled_nearly_as_fast_as_units_alone);
    tcase_add_test(tcase, no_heights_and_widths_are_better_for_given_columns);
    tcase_add_test(
        tcase, four_thousand_planes_take_at_most_5_percent_longer_than_the_best_columns);
    tcase_add_test(tcase, constant_models_give_what_speeds_give);
    tcase_add_test(tcase, a_table_is_only_used_for_the_loads_it_has);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
