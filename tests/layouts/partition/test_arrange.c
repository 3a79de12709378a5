/* SPDX-License-Identifier: MIT
 * Arrangements of areas in columns, against every one. */
#include "layouts/partition/partition_impl.h"
#include "tests/layouts/partition/plane_case.h"
#include "tests/support/check_main.h"

#include <math.h>

typedef struct every {
    const double *area; /**< their sum is 1 */
    int parts;
    double rows;
    double columns;
    int column_of[8];
    double best[9]; /**< for each number of columns */
} every;

static double cost_of(const every *e, int used)
{
    double cost = 0.0;

    for (int c = 0; c < used; c++) {
        double width = 0.0;
        int count = 0;

        for (int i = 0; i < e->parts; i++) {
            if (e->column_of[i] != c) continue;
            width += e->area[i];
            count++;
        }
        cost += e->rows + count * width * e->columns;
    }
    return cost;
}

static void try_every(every *e, int part, int used)
{
    if (part == e->parts) {
        e->best[used] = fmin(e->best[used], cost_of(e, used));
        return;
    }
    for (int c = 0; c <= used; c++) {
        e->column_of[part] = c;
        try_every(e, part + 1, c == used ? used + 1 : used);
    }
}

START_TEST(no_arrangement_of_areas_costs_less)
{
    hit_random random = hit_random_start(31);

    for (int i = 0; i < hit_random_cases(1000); i++) {
        const int parts = (int)hit_random_index(&random, 1, 7);
        const hit_index rows = hit_random_index(&random, 1, 100);
        const hit_index columns = hit_random_index(&random, parts, 100);
        double area[8];
        double sum = 0.0;
        every e = {.area = area, .parts = parts};
        hit_arrange *arrange;
        double least = INFINITY;

        plane_case_speeds(&random, parts, area);
        for (int k = 0; k < parts; k++) {
            area[k] += 1.0; /* 0 is another test */
            sum += area[k];
        }
        for (int k = 0; k < parts; k++) {
            area[k] /= sum;
        }
        e.rows = (double)rows;
        e.columns = (double)columns;
        for (int c = 0; c <= parts; c++) {
            e.best[c] = INFINITY;
        }
        try_every(&e, 0, 0);
        ck_assert_int_eq(hit_arrange_open(rows, columns, parts, area, &arrange), HIT_OK);
        for (int c = 1; c <= parts; c++) {
            ck_assert_double_eq_tol(hit_arrange_cost(arrange, c), e.best[c],
                                    1e-9 * e.best[c]);
            hit_arrange_get(arrange, c, e.column_of);
            ck_assert_double_eq_tol(cost_of(&e, c), e.best[c], 1e-9 * e.best[c]);
            least = fmin(least, e.best[c]);
        }
        ck_assert_double_eq_tol(hit_arrange_cost(arrange, hit_arrange_best(arrange)),
                                least, 1e-9 * least);
        hit_arrange_close(&arrange);
    }
}
END_TEST

START_TEST(areas_of_0_are_in_no_column)
{
    const double area[] = {0.0, 3.0, 0.0, 1.0};
    int column_of[4];
    hit_arrange *arrange;

    ck_assert_int_eq(hit_arrange_open(10, 10, 4, area, &arrange), HIT_OK);
    hit_arrange_get(arrange, 1, column_of);
    ck_assert_int_eq(column_of[0], -1);
    ck_assert_int_eq(column_of[1], 0);
    ck_assert_int_eq(column_of[2], -1);
    ck_assert_int_eq(column_of[3], 0);
    ck_assert(isinf(hit_arrange_cost(arrange, 3)));
    hit_arrange_close(&arrange);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("arrange");
    TCase *tcase = tcase_create("arrange");

    tcase_add_test(tcase, no_arrangement_of_areas_costs_less);
    tcase_add_test(tcase, areas_of_0_are_in_no_column);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
