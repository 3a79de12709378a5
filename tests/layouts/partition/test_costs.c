/* SPDX-License-Identifier: MIT
 * Runs of positions by cost against all cuts that there are, and columns of rectangles
 * against the costs of all elements. */
#include "layouts/partition/costs/costs.h"
#include "tests/support/check_main.h"
#include "tests/support/fpm_case.h"

#include <math.h>
#include <stdlib.h>

#define MOST_N 14
#define MOST_PARTS 4

static bool near(double a, double b)
{
    if (isinf(a) || isinf(b)) return isinf(a) && isinf(b);
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/** Costs of any size, with runs of 0. */
static void random_costs(hit_random *random, hit_index n, hit_index cost[],
                         hit_index sum[])
{
    const hit_index most = hit_random_index(random, 0, 1) == 0 ? 3 : 1000000;

    sum[0] = 0;
    for (hit_index k = 0; k < n; k++) {
        cost[k] = hit_random_index(random, -most / 2, most);
        if (cost[k] < 0) cost[k] = 0;
        sum[k + 1] = sum[k] + cost[k];
    }
}

/** A line of costs, written a second time: for models whose unit is one of @p wide in a
 * position. */
typedef struct line {
    hit_index n;
    const hit_index *cost;
    hit_index wide;
    int parts;
    const double *speed; /**< or NULL, and */
    const fpm_case *cases;
} line;

/** The seconds of a run, by its elements. */
static double run_time(const line *l, int i, hit_index from, hit_index to)
{
    double sum = 0;
    double seconds;

    if (from == to) return 0;
    for (hit_index k = from; k < to; k++) {
        sum += (double)l->cost[k];
    }
    if (l->speed != NULL) return l->speed[i] > 0 ? sum / l->speed[i] : INFINITY;
    seconds = fpm_case_time(&l->cases[i], (to - from) * l->wide);
    return isinf(seconds) ? INFINITY : sum * seconds / (double)(to - from);
}

/** The smallest makespan of the parts from @p i on for the positions from @p from on. */
static double best_of(const line *l, int i, hit_index from)
{
    double best = INFINITY;

    if (i == l->parts) return from == l->n ? 0 : INFINITY;
    for (hit_index to = from; to <= l->n; to++) {
        const double mine = run_time(l, i, from, to);

        if (mine < best) best = fmin(best, fmax(mine, best_of(l, i + 1, to)));
    }
    return best;
}

static void expect_sound(const hit_costs *costs, const hit_index share[])
{
    hit_index left = costs->n;

    for (int i = 0; i < costs->parts; i++) {
        ck_assert_int_ge(share[i], 0);
        left -= share[i];
        if (costs->speed != NULL && costs->speed[i] == 0) ck_assert_int_eq(share[i], 0);
    }
    ck_assert_int_eq(left, 0);
}

START_TEST(no_cuts_are_better_by_speeds)
{
    hit_random random = hit_random_start(39);

    for (int k = 0; k < hit_random_cases(1000); k++) {
        hit_index cost[MOST_N];
        hit_index sum[MOST_N + 1];
        hit_index share[MOST_PARTS];
        double speed[MOST_PARTS];
        hit_costs costs = {.n = hit_random_index(&random, 0, MOST_N),
                           .sum = sum,
                           .parts = (int)hit_random_index(&random, 1, MOST_PARTS),
                           .speed = speed};

        const line known = {costs.n, cost, 1, costs.parts, speed, NULL};

        random_costs(&random, costs.n, cost, sum);
        for (int i = 0; i < costs.parts; i++) {
            speed[i] = 0.25 * (double)hit_random_index(&random, i == 0 ? 1 : 0, 40);
        }
        ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_OK);
        expect_sound(&costs, share);
        ck_assert(near(hit_costs_makespan(&costs, share), best_of(&known, 0, 0)));
    }
}
END_TEST

START_TEST(no_cuts_are_better_by_models)
{
    hit_random random = hit_random_start(40);
    int infeasible = 0;

    for (int k = 0; k < hit_random_cases(1000); k++) {
        const fpm_case_shape shape =
            (fpm_case_shape)hit_random_index(&random, 0, CASE_SHAPES - 1);
        hit_index cost[MOST_N];
        hit_index sum[MOST_N + 1];
        hit_index share[MOST_PARTS];
        fpm_case cases[MOST_PARTS];
        hit_fpm *model[MOST_PARTS];
        hit_costs costs = {.n = hit_random_index(&random, 0, MOST_N),
                           .sum = sum,
                           .parts = (int)hit_random_index(&random, 1, MOST_PARTS),
                           .fpm = (const hit_fpm *const *)model};
        const line known = {costs.n, cost, 1, costs.parts, NULL, cases};
        hit_status st;
        double best;

        random_costs(&random, costs.n, cost, sum);
        for (int i = 0; i < costs.parts; i++) {
            cases[i] = fpm_case_random(&random, shape, 1 + costs.n);
            model[i] = fpm_case_model(&cases[i]);
        }
        best = best_of(&known, 0, 0);
        st = hit_partition_costs(&costs, share);
        ck_assert_int_eq(st, isinf(best) ? HIT_E_LIMIT : HIT_OK);
        infeasible += st != HIT_OK;
        if (st == HIT_OK) {
            expect_sound(&costs, share);
            ck_assert(near(hit_costs_makespan(&costs, share), best));
        }
        for (int i = 0; i < costs.parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
    }
    ck_assert_int_gt(infeasible, 0);
}
END_TEST

/* Beyond HIT_COSTS_CUTS positions only some cuts are looked at. Models of one speed give
 * nearly what the speeds give, which is exact. */
START_TEST(many_positions_are_balanced_by_models)
{
    enum {
        N = 100003,
        PARTS = 5
    };
    const double speed[PARTS] = {4, 1, 3, 1, 2};
    hit_index *sum = malloc((N + 1) * sizeof *sum);
    hit_index share[PARTS];
    hit_fpm *model[PARTS];
    hit_costs costs = {.n = N, .sum = sum, .parts = PARTS, .speed = speed};
    double best;

    ck_assert_ptr_nonnull(sum);
    for (hit_index k = 0; k <= N; k++) { /* a triangle */
        sum[k] = k * (k + 1) / 2;
    }
    ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_OK);
    best = hit_costs_makespan(&costs, share);
    for (int i = 0; i < PARTS; i++) {
        ck_assert_int_eq(hit_fpm_constant(speed[i], &model[i]), HIT_OK);
    }
    costs.speed = NULL;
    costs.fpm = (const hit_fpm *const *)model;
    ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_OK);
    expect_sound(&costs, share);
    ck_assert_double_le(hit_costs_makespan(&costs, share), 1.005 * best);
    for (int i = 0; i < PARTS; i++) {
        hit_fpm_destroy(&model[i]);
    }
    free(sum);
}
END_TEST

/* Of all cuts with the best makespan, those that are nearest to even times: here the last
 * part must not be left with a rest. */
START_TEST(times_are_even_where_they_can_be)
{
    enum {
        N = 1000
    };
    const double speed[] = {1, 4, 2, 3};
    hit_index sum[N + 1];
    hit_index share[4];
    const hit_costs costs = {.n = N, .sum = sum, .parts = 4, .speed = speed};
    hit_index at = 0;

    for (int k = 0; k <= N; k++) {
        sum[k] = (hit_index)k * (k + 1) / 2;
    }
    ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_OK);
    for (int i = 0; i < 4; i++) {
        ck_assert_double_ge(hit_costs_time(&costs, i, at, at + share[i]),
                            0.98 * hit_costs_makespan(&costs, share));
        at += share[i];
    }
}
END_TEST

START_TEST(what_cannot_be_cut_is_refused)
{
    const hit_index sum[] = {0, 1, 2};
    const double none[] = {0, 0};
    const double wrong[] = {1, -1};
    hit_index share[2];
    hit_costs costs = {.n = 2, .sum = sum, .parts = 2, .speed = none};

    ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_E_ARG);
    costs.speed = wrong;
    ck_assert_int_eq(hit_partition_costs(&costs, share), HIT_E_ARG);
}
END_TEST

/* ---- planes ---- */

enum {
    ROWS = 9,
    SIDE = 24
};

typedef struct plane_case {
    hit_plane plane;
    hit_index cost[SIDE][SIDE];
    double speed[6];
    fpm_case cases[6];
    hit_fpm *model[6];
    int column_of[6];
    hit_index first[7];
    hit_rect rect[6];
} plane_case;

static void random_plane(hit_random *random, plane_case *c, bool models)
{
    c->plane = (hit_plane){.rows = hit_random_index(random, 4, ROWS),
                           .columns = hit_random_index(random, 4, SIDE),
                           .parts = (int)hit_random_index(random, 1, 6)};
    for (int i = 0; i < c->plane.parts; i++) {
        c->speed[i] = (double)hit_random_index(random, 1, 20);
        if (!models) continue;
        c->cases[i] =
            fpm_case_random(random, CASE_SMOOTH, c->plane.rows * c->plane.columns);
        c->cases[i].cap = INT64_MAX;
        c->model[i] = fpm_case_model(&c->cases[i]);
    }
    if (models) {
        c->plane.fpm = (const hit_fpm *const *)c->model;
    } else {
        c->plane.speed = c->speed;
    }
    for (int r = 0; r < SIDE; r++) {
        for (int k = 0; k < SIDE; k++) {
            c->cost[r][k] = k <= r ? hit_random_index(random, 0, 9) : 0;
        }
    }
}

static hit_index cost_of(const plane_case *c, hit_rect rect)
{
    hit_index sum = 0;

    for (hit_index r = rect.row; r < rect.row + rect.height; r++) {
        for (hit_index k = rect.column; k < rect.column + rect.width; k++) {
            sum += c->cost[r][k];
        }
    }
    return sum;
}

/** Cut it: the two steps, each with the sums that it needs. Returns the columns. */
static int cut_plane(plane_case *c, int columns)
{
    const hit_index rows = c->plane.rows;
    hit_costs_columns made = {columns, c->column_of, c->first};
    hit_index across[SIDE + 1];
    hit_index sum[6 * (SIDE + 1)];

    for (hit_index k = 0; k <= c->plane.columns; k++) {
        across[k] = cost_of(c, (hit_rect){0, 0, rows, k});
    }
    for (int i = 0; i < c->plane.parts && columns > 0; i++) {
        c->column_of[i] = i % columns;
    }
    ck_assert_int_eq(hit_costs_widths(&c->plane, across, &made), HIT_OK);
    ck_assert_int_eq(c->first[made.columns], c->plane.columns);
    for (int s = 0; s < made.columns; s++) {
        for (hit_index r = 0; r <= rows; r++) {
            const hit_index width = c->first[s + 1] - c->first[s];

            sum[s * (rows + 1) + r] = cost_of(c, (hit_rect){0, c->first[s], r, width});
        }
    }
    ck_assert_int_eq(hit_costs_heights(&c->plane, &made, sum, c->rect), HIT_OK);
    return made.columns;
}

/** Are the rectangles all of the plane, each element once? */
static bool tiles_plane(const plane_case *c)
{
    int owners[SIDE][SIDE] = {{0}};
    bool good = true;

    for (int i = 0; i < c->plane.parts; i++) {
        for (hit_index r = 0; r < c->rect[i].height; r++) {
            for (hit_index j = 0; j < c->rect[i].width; j++) {
                owners[c->rect[i].row + r][c->rect[i].column + j]++;
            }
        }
    }
    for (hit_index r = 0; r < c->plane.rows; r++) {
        for (hit_index j = 0; j < c->plane.columns; j++) {
            good = good && owners[r][j] == 1;
        }
    }
    return good;
}

/** Do no other heights of column @p number end earlier? */
static bool heights_are_best(const plane_case *c, int number)
{
    const hit_index first = c->first[number];
    const hit_index width = c->first[number + 1] - first;
    hit_index cost[SIDE];
    double speed[6];
    fpm_case cases[6];
    line known = {c->plane.rows, cost, width, 0, NULL, cases};
    double most = 0;

    if (width == 0) return true;
    if (c->plane.speed != NULL) known.speed = speed;
    for (hit_index r = 0; r < known.n; r++) {
        cost[r] = cost_of(c, (hit_rect){r, first, 1, width});
    }
    for (int i = 0; i < c->plane.parts; i++) {
        const hit_rect *rect = &c->rect[i];

        if (c->column_of[i] != number) continue;
        speed[known.parts] = c->speed[i];
        cases[known.parts] = c->cases[i];
        most = fmax(most,
                    run_time(&known, known.parts, rect->row, rect->row + rect->height));
        known.parts++;
    }
    return near(most, best_of(&known, 0, 0));
}

START_TEST(rectangles_are_the_plane_and_their_heights_are_best)
{
    hit_random random = hit_random_start(41);
    static plane_case c;

    for (int k = 0; k < hit_random_cases(1000); k++) {
        bool best = true;
        int columns;

        random_plane(&random, &c, k % 2 == 1);
        columns = cut_plane(
            &c, k % 4 < 2 ? (int)hit_random_index(&random, 1, c.plane.parts) : 0);
        ck_assert(tiles_plane(&c));
        for (int s = 0; s < columns; s++) {
            best = best && heights_are_best(&c, s);
        }
        ck_assert(best);
        for (int i = 0; i < c.plane.parts && k % 2 == 1; i++) {
            hit_fpm_destroy(&c.model[i]);
        }
    }
}
END_TEST

/* A lower triangle on unlike processes, by elements: each takes about as long. */
START_TEST(a_triangle_is_balanced_in_columns)
{
    enum {
        N = 600,
        PARTS = 7
    };
    const double speed[PARTS] = {4, 1, 1, 2, 3, 1, 2};
    const hit_plane plane = {.rows = N, .columns = N, .parts = PARTS, .speed = speed};
    int column_of[PARTS];
    hit_index first[PARTS + 1];
    hit_costs_columns made = {0, column_of, first};
    hit_index across[N + 1] = {0};
    hit_index *sum;
    hit_rect rect[PARTS];
    double most = 0;

    for (int k = 0; k < N; k++) {
        across[k + 1] = across[k] + N - k;
    }
    ck_assert_int_eq(hit_costs_widths(&plane, across, &made), HIT_OK);
    sum = calloc((size_t)made.columns * (N + 1), sizeof *sum);
    ck_assert_ptr_nonnull(sum);
    for (int s = 0; s < made.columns; s++) {
        for (int r = 0; r < N; r++) {
            const hit_index end = first[s + 1] < r + 1 ? first[s + 1] : r + 1;

            sum[s * (N + 1) + r + 1] =
                sum[s * (N + 1) + r] + (end > first[s] ? end - first[s] : 0);
        }
    }
    ck_assert_int_eq(hit_costs_heights(&plane, &made, sum, rect), HIT_OK);
    for (int i = 0; i < PARTS; i++) {
        hit_index cost = 0;

        for (hit_index r = rect[i].row; r < rect[i].row + rect[i].height; r++) {
            for (hit_index k = rect[i].column; k < rect[i].column + rect[i].width; k++) {
                cost += k <= r;
            }
        }
        most = fmax(most, (double)cost / speed[i]);
    }
    ck_assert_double_le(most, 1.05 * (double)across[N] / 14);
    free(sum);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("costs");
    TCase *cases = tcase_create("costs");

    tcase_add_test(cases, no_cuts_are_better_by_speeds);
    tcase_add_test(cases, no_cuts_are_better_by_models);
    tcase_add_test(cases, many_positions_are_balanced_by_models);
    tcase_add_test(cases, times_are_even_where_they_can_be);
    tcase_add_test(cases, what_cannot_be_cut_is_refused);
    tcase_add_test(cases, rectangles_are_the_plane_and_their_heights_are_best);
    tcase_add_test(cases, a_triangle_is_balanced_in_columns);
    suite_add_tcase(made, cases);
    return made;
}

int main(void)
{
    return check_run(suite());
}
