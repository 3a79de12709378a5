/* SPDX-License-Identifier: MIT
 * Launches that read where data says do what plain loops do, wherever they run; little is
 * sent and moved where data says so, and nothing is asked again while it stays. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"
#include "tests/support/collectives.h"
#include "tests/support/fill_numbers.h"

#include <stdlib.h>

extern const hit_kernel look_pick, look_any, look_rows, look_any_rows, look_narrow,
    look_near, look_set, look_back, look_real, look_flat, look_two;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* ---- bytes ---- */

enum {
    N = 1400,
    WIDTH = 2 /* of the band, to both sides */
};

/* The matrix of a band in compressed rows, as rows of processes lie. */
typedef struct matrix {
    hit_context *hit;
    hit_tile *y, *x, *entry, *column, *first;
} matrix;

static hit_index first_of(hit_index i)
{
    return i * (2 * WIDTH + 1);
}

static hit_index column_of(hit_index k)
{
    const hit_index i = k / (2 * WIDTH + 1);
    const hit_index j = i + k % (2 * WIDTH + 1) - WIDTH;

    return j < 0 ? 0 : j >= N ? N - 1 : j;
}

static hit_index same(hit_index k)
{
    return k;
}

static matrix make_matrix(const char *place)
{
    matrix m = {.hit = NULL};
    const hit_domain rows = hit_domain_of(N);
    const hit_domain all = hit_domain_of(first_of(N));

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place}, &m.hit));
    HIT_MUST(hit_tile_make(m.hit, rows, "block", HIT_INT64, "y", &m.y));
    HIT_MUST(hit_tile_make(m.hit, rows, "block", HIT_INT64, "x", &m.x));
    HIT_MUST(hit_tile_make(m.hit, hit_domain_of(N + 1), "block", HIT_INT64, "first",
                           &m.first));
    HIT_MUST(hit_tile_make(m.hit, all, "block", HIT_INT64, "column", &m.column));
    HIT_MUST(hit_tile_make(m.hit, all, "block", HIT_INT64, "entry", &m.entry));
    fill_numbers(m.x, same);
    fill_numbers(m.entry, same);
    fill_numbers(m.first, first_of);
    fill_numbers(m.column, column_of);
    return m;
}

static void multiply(matrix *m, const hit_kernel *kernel)
{
    HIT_MUST(hit_launch(m->hit, kernel, hit_domain_of(N), m->y, m->x, m->entry, m->column,
                        m->first));
}

static void check_product(matrix *m)
{
    bool right = true;

    for (hit_index i = 0; i < N; i += 97) {
        int64_t sum = 0;
        int64_t found;

        for (hit_index k = first_of(i); k < first_of(i + 1); k++) {
            sum += k * column_of(k);
        }
        HIT_MUST(hit_tile_get(m->y, &i, &found));
        right = right && found == sum;
    }
    ck_assert(right);
}

static void drop_matrix(matrix *m)
{
    hit_tile_destroy(&m->y);
    hit_tile_destroy(&m->x);
    hit_tile_destroy(&m->entry);
    hit_tile_destroy(&m->column);
    hit_tile_destroy(&m->first);
    hit_close(&m->hit);
}

/* All processes together, in a few products. */
static hit_stats count(const char *place, const hit_kernel *kernel)
{
    matrix m = make_matrix(place);
    hit_stats stats;

    for (int t = 0; t < 3; t++) {
        fill_numbers(m.x, same);
        multiply(&m, kernel);
    }
    HIT_MUST(hit_wait(m.hit));
    check_product(&m);
    HIT_MUST(hit_context_stats_all(m.hit, &stats));
    drop_matrix(&m);
    return stats;
}

START_TEST(little_is_sent_and_moved_where_data_says_so)
{
    const hit_stats some = count("host:threads=1", &look_rows);
    const hit_stats all = count("host:threads=1", &look_any_rows);
    const hit_stats small = count("host:threads=1:staged:memory=8KiB", &look_rows);
    const uint64_t processes = (uint64_t)hit_size(base);

    /* each gets some elements of x, and of the entries those that lie with others */
    ck_assert_uint_le(some.message_bytes_sent, all.message_bytes_sent / 4);
    if (processes > 1) ck_assert_uint_gt(all.message_bytes_sent, 0);
    /* what a process has goes once through its memory, with some at the ends of pieces */
    ck_assert_uint_gt(small.superblocks, 3 * processes);
    ck_assert_uint_le(small.bytes_in, 3 * 8 * (2 * (uint64_t)first_of(N) + 4 * N));
}
END_TEST

/* ---- plans ---- */

START_TEST(an_iteration_is_planned_once_and_votes_no_more)
{
    matrix m = make_matrix("host:threads=1");
    uint64_t plans;
    int calls;

    multiply(&m, &look_rows);
    plans = m.hit->launcher->plans_made;
    calls = collectives_count();
    for (int t = 0; t < 5; t++) {
        fill_numbers(m.x, same);
        multiply(&m, &look_rows);
    }
    ck_assert_uint_eq(m.hit->launcher->plans_made, plans);
    ck_assert_int_eq(collectives_count(), calls);
    check_product(&m);
    fill_numbers(m.column, column_of); /* may be other numbers */
    multiply(&m, &look_rows);
    ck_assert_uint_eq(m.hit->launcher->plans_made, plans + 1);
    if (hit_size(base) > 1) ck_assert_int_gt(collectives_count(), calls);
    check_product(&m);
    drop_matrix(&m);
}
END_TEST

START_TEST(plans_by_numbers_that_were_overwritten_keep_no_memory)
{
    matrix m = make_matrix("host:threads=1");
    uint64_t bytes = 0;

    for (int t = 0; t < 6; t++) {
        fill_numbers(m.column, column_of);
        multiply(&m, &look_rows);
        if (t == 1) bytes = m.hit->host_bytes;
    }
    ck_assert_uint_eq(m.hit->host_bytes, bytes);
    check_product(&m);
    drop_matrix(&m);
}
END_TEST

/* A process that owns none of a tile does not know when others write it. */
START_TEST(a_tile_that_one_process_has_may_be_written_there)
{
    const hit_domain all = hit_domain_of(50);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *from = NULL;
    bool right = true;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(hit, all, "single:root=0", HIT_INT64, "from", &from));
    fill_numbers(x, same);
    for (hit_index t = 0; t < 4; t++) {
        hit_view view;

        if (hit_rank(hit) == 0 && t != 2) {
            HIT_MUST(hit_tile_map(from, 0, HIT_WRITE, &view));
            HIT_FOR_EACH (at, view.domain) {
                HIT_AT(view, int64_t, at[0]) = (at[0] * (t + 3)) % 50;
            }
        }
        HIT_MUST(hit_launch(hit, &look_pick, all, y, x, from));
        for (hit_index i = 0; i < 50; i += 7) {
            const hit_index written = t == 2 ? 1 : t;
            int64_t found;

            HIT_MUST(hit_tile_get(y, &i, &found));
            right = right && found == 3 * ((i * (written + 3)) % 50) - i;
        }
    }
    ck_assert(right);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&from);
    hit_close(&hit);
}
END_TEST

START_TEST(numbers_of_other_types_lead_as_well)
{
    const hit_index n = 30;
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *first = NULL;
    hit_tile *column = NULL;
    int32_t firsts[31];
    uint16_t columns[60];
    bool right = true;

    for (int k = 0; k <= n; k++) {
        firsts[k] = 2 * k;
    }
    for (int k = 0; k < 2 * n; k++) {
        columns[k] = (uint16_t)((k * 7) % 40);
    }
    HIT_MUST(hit_open(NULL, NULL, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(40), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(n), "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(n + 1), "block", HIT_INT32, "f", &first));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(2 * n), "block", HIT_UINT16, "c", &column));
    fill_numbers(x, same);
    HIT_MUST(hit_tile_scatter(first, 0, firsts));
    HIT_MUST(hit_tile_scatter(column, 0, columns));
    HIT_MUST(hit_launch(hit, &look_narrow, hit_domain_of(n), y, x, column, first));
    for (hit_index i = 0; i < n; i++) {
        int64_t found;

        HIT_MUST(hit_tile_get(y, &i, &found));
        right = right && found == columns[2 * i] + columns[2 * i + 1];
    }
    ck_assert(right);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&first);
    hit_tile_destroy(&column);
    hit_close(&hit);
}
END_TEST

/* ---- what is wrong ---- */

static hit_index wrong_at_17(hit_index k)
{
    return k == 17 ? 41 : k;
}

static hit_index wrong_behind_29(hit_index k)
{
    return k < 30 ? k : -7;
}

START_TEST(what_leads_out_of_a_tile_is_told_by_all)
{
    expectations e = expect_open(NULL);
    const hit_domain all = hit_domain_of(40);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *from = NULL;
    int64_t found = 0;

    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(e.hit, all, "cyclic", HIT_INT64, "from", &from));
    fill_numbers(x, same);
    fill_numbers(y, same);
    for (int t = 0; t < 2; t++) {
        e.hit->launcher->most_cells = t == 0 ? HIT_MOST_CELLS : 3;
        fill_numbers(from, wrong_at_17);
        expect_failure(&e, hit_launch(e.hit, &look_pick, all, y, x, from), HIT_E_PATTERN,
                       "a number that is too large",
                       "kernel look_pick, argument x, tile x: by the pattern \"[from]\" "
                       "element [17] of from, which is 41, leads out of the tile, which "
                       "has 0:39");
        HIT_MUST(hit_tile_get(y, (hit_index[]){20}, &found));
        expect_true(&e, found == 20, "nothing was written");
        fill_numbers(from, wrong_behind_29);
        expect_failure(&e, hit_launch(e.hit, &look_pick, all, y, x, from), HIT_E_PATTERN,
                       "a negative number", "element [30] of from, which is -7, leads");
        /* others are not looked at, though a cell of the table has both */
        for (int again = 0; again < 2; again++) {
            HIT_MUST(hit_launch(e.hit, &look_pick, hit_domain_of(30), y, x, from));
        }
        HIT_MUST(hit_tile_get(y, (hit_index[]){20}, &found));
        expect_true(&e, found == 40, "what follows works");
        fill_numbers(y, same);
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&from);
    expect_close(&e);
}
END_TEST

static hit_index no_third(hit_index k)
{
    return k % 3 == 2 ? -1 : k;
}

static hit_index wrong_at_7(hit_index k)
{
    return k == 7 ? 40 : k;
}

static hit_index wrong_below_12(hit_index k)
{
    return k < 12 ? 40 + k : k == 30 ? -1 : k;
}

/* Of indices that do not run: those that a table leaves open are asked of the elements.
 */
START_TEST(numbers_of_indices_that_do_not_run_may_be_anything)
{
    expectations e = expect_open(NULL);
    const hit_domain all = hit_domain_of(40);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *from = NULL;

    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(e.hit, all, "cyclic", HIT_INT64, "from", &from));
    fill_numbers(x, same);
    for (int t = 0; t < 2; t++) {
        e.hit->launcher->most_cells = t == 0 ? HIT_MOST_CELLS : 3;
        fill_numbers(y, same);
        fill_numbers(from, no_third);
        HIT_MUST(hit_launch(e.hit, &look_pick, all, y, x, from, HIT_WHERE("from >= 0")));
        for (hit_index k = 0; k < 40; k++) {
            int64_t found = 0;

            HIT_MUST(hit_tile_get(y, &k, &found));
            expect_true(&e, found == (k % 3 == 2 ? k : 2 * k), "those with a number");
        }
        expect_failure(
            &e, hit_launch(e.hit, &look_pick, all, y, x, from, HIT_WHERE("from >= -1")),
            HIT_E_PATTERN, "all run", "element [2] of from, which is -1, leads out");
        /* [5:6] and [8], not [7] */
        fill_numbers(from, wrong_at_7);
        HIT_MUST(hit_launch(e.hit, &look_two, hit_box_of(5, 5), y, x, from));
        fill_numbers(from, wrong_below_12);
        HIT_MUST(hit_launch(e.hit, &look_pick, all, y, x, from,
                            HIT_WHERE("12 <= i < 30 or i > 30")));
        expect_failure(
            &e, hit_launch(e.hit, &look_pick, all, y, x, from, HIT_WHERE("12 <= i < 31")),
            HIT_E_PATTERN, "one of those that run", "element [30] of from, which is -1");
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&from);
    expect_close(&e);
}
END_TEST

START_TEST(what_cannot_be_is_told)
{
    expectations e = expect_open(NULL);
    const hit_domain all = hit_domain_of(9);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *from = NULL;
    hit_tile *real = NULL;

    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_INT64, "from", &from));
    HIT_MUST(hit_tile_make(e.hit, all, "block", HIT_DOUBLE, "real", &real));
    expect_failure(
        &e, hit_launch(e.hit, &look_back, all, y, from), HIT_E_PATTERN,
        "a written argument",
        "kernel look_back, argument y: expected mode in or out, and indices in any "
        "order, for the pattern \"[from]\", since its ends stand in data");
    expect_failure(&e, hit_launch(e.hit, &look_real, all, y, x, real), HIT_E_PATTERN,
                   "numbers that are not whole",
                   "kernel look_real, argument x: expected arguments of mode in and of "
                   "whole numbers in \"[from]\" but found from of double");
    expect_failure(&e, hit_launch(e.hit, &look_flat, all, y, x, from), HIT_E_PATTERN,
                   "other dimensions",
                   "expected as many dimensions of from in \"[from[i, 0]]\" as its tile "
                   "has, 1, but found 2");
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&from);
    hit_tile_destroy(&real);
    expect_close(&e);
}
END_TEST

/* Nobody knows there what stands in tiles. */
START_TEST(a_dry_run_takes_all)
{
    hit_stats live;
    hit_stats dry;

    if (hit_size(base) > 1) return; /* dry runs have one process of their own */
    live = count("host:threads=1", &look_any_rows);
    ck_assert_int_eq(setenv("HIT_PLAN", "json", 1), 0);
    ck_assert_int_eq(setenv("HIT_PLAN_PROCESSES", "3", 1), 0);
    {
        matrix m = make_matrix("host:threads=1");

        multiply(&m, &look_rows);
        HIT_MUST(hit_context_stats_all(m.hit, &dry));
        drop_matrix(&m);
    }
    ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
    ck_assert_int_eq(unsetenv("HIT_PLAN_PROCESSES"), 0);
    ck_assert_uint_eq(dry.indices * 3, live.indices);
    ck_assert_uint_gt(dry.message_bytes_sent, 2 * 8 * 2 * (uint64_t)first_of(N) * 2 / 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/launch/lookups");
    TCase *tests = tcase_create("lookups");

    tcase_set_timeout(tests, 0);
    add_trial_tests(tests, 65, 20, 6);
    tcase_add_test(tests, little_is_sent_and_moved_where_data_says_so);
    tcase_add_test(tests, an_iteration_is_planned_once_and_votes_no_more);
    tcase_add_test(tests, plans_by_numbers_that_were_overwritten_keep_no_memory);
    tcase_add_test(tests, a_tile_that_one_process_has_may_be_written_there);
    tcase_add_test(tests, numbers_of_other_types_lead_as_well);
    tcase_add_test(tests, what_leads_out_of_a_tile_is_told_by_all);
    tcase_add_test(tests, numbers_of_indices_that_do_not_run_may_be_anything);
    tcase_add_test(tests, what_cannot_be_is_told);
    tcase_add_test(tests, a_dry_run_takes_all);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
