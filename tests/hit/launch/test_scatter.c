/* SPDX-License-Identifier: MIT
 * Launches that write where data says do what plain loops do, wherever they run. All
 * processes fail alike, before anything runs, if two indices write one element, or one
 * writes outside of the tile. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"
#include "tests/support/collectives.h"
#include "tests/support/faults.h"
#include "tests/support/fill_numbers.h"

extern const hit_kernel scatter_put, scatter_rows, scatter_pairs, scatter_two,
    scatter_range, scatter_any, scatter_add, scatter_next;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

enum {
    N = 60
};

static const hit_index zero = 0;

static hit_index same(hit_index k)
{
    return k;
}

static hit_index turned(hit_index k)
{
    return N - 1 - k;
}

static hit_index strewn(hit_index k)
{
    return 7 * k % N;
}

static hit_index twice(hit_index k)
{
    return k == 52 ? 3 : k;
}

static hit_index often(hit_index k)
{
    return k % 7;
}

static hit_index outside(hit_index k)
{
    return k == 41 ? N : k;
}

typedef struct lines {
    hit_tile *x, *y, *place;
} lines;

static lines make_lines(hit_context *hit, const char *layout)
{
    const hit_domain all = hit_domain_of(N);
    lines made;

    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "x", &made.x));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "y", &made.y));
    HIT_MUST(hit_tile_make(hit, all, layout, HIT_INT64, "place", &made.place));
    fill_numbers(made.x, same);
    fill_numbers(made.y, same);
    return made;
}

static void drop_lines(lines *l)
{
    hit_tile_destroy(&l->x);
    hit_tile_destroy(&l->y);
    hit_tile_destroy(&l->place);
}

static hit_status put(hit_context *hit, const lines *l, hit_domain indices)
{
    return hit_launch(hit, &scatter_put, indices, l->y, l->x, l->place, HIT_VALUE(zero));
}

START_TEST(what_is_written_twice_is_told_by_all)
{
    static const char *const layouts[] = {"block", "cyclic", "single"};
    expectations e = expect_open(NULL);

    for (int t = 0; t < 3; t++) {
        lines l = make_lines(e.hit, layouts[t]);
        int64_t found = 0;

        fill_numbers(l.place, twice);
        expect_failure(
            &e, put(e.hit, &l, hit_domain_of(N)), HIT_E_PATTERN,
            "two indices for an element",
            "kernel scatter_put, argument y, tile y: by the pattern "
            "\"[place+d]\" elements [3] and [52] of place both lead to element "
            "[3] of the tile, which one index alone may write");
        HIT_MUST(hit_tile_get(l.y, (hit_index[]){20}, &found));
        expect_true(&e, found == 20, "nothing was written");
        for (int again = 0; again < 2; again++) { /* others are not looked at */
            HIT_MUST(put(e.hit, &l, hit_domain_of(50)));
        }
        HIT_MUST(hit_tile_get(l.y, (hit_index[]){20}, &found));
        expect_true(&e, found == 80, "what follows works");
        fill_numbers(l.place, often);
        expect_failure(&e, put(e.hit, &l, hit_domain_of(N)), HIT_E_PATTERN,
                       "many indices for an element",
                       "elements [0] and [56] of place both lead to element [0]");
        fill_numbers(l.place, outside);
        expect_failure(&e, put(e.hit, &l, hit_domain_of(N)), HIT_E_PATTERN,
                       "a number that is too large",
                       "element [41] of place, which is 60, leads out of the tile, which "
                       "has 0:59");
        fill_numbers(l.place, turned);
        HIT_MUST(put(e.hit, &l, hit_domain_of(N)));
        HIT_MUST(hit_tile_get(l.y, (hit_index[]){N - 1}, &found));
        expect_true(&e, found == 0, "other numbers");
        drop_lines(&l);
    }
    expect_close(&e);
}
END_TEST

/* An index that the number does not depend on. */
START_TEST(rows_that_several_indices_write_are_told)
{
    expectations e = expect_open(NULL);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *row = NULL;
    const int32_t rows[6] = {4, 0, 5, 3, 0, 1};

    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(6, 5), "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(6, 5), "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(6), "block", HIT_INT32, "row", &row));
    HIT_MUST(hit_tile_scatter(row, 0, rows));
    expect_failure(&e, hit_launch(e.hit, &scatter_rows, hit_domain_of(6, 5), y, x, row),
                   HIT_E_PATTERN, "two rows",
                   "elements [1] and [4] of row both lead to element [0, 0] of the tile");
    HIT_MUST(hit_launch(e.hit, &scatter_rows, hit_domain_of(4, 5), y, x, row));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_tile_destroy(&row);
    expect_close(&e);
}
END_TEST

/* What lies beyond a boundary is not reached by data: no set would have its element. */
START_TEST(an_index_without_a_number_is_told)
{
    expectations e = expect_open(NULL);
    lines l = make_lines(e.hit, "block");
    const hit_domain most = hit_domain_of(N - 1);
    const hit_domain last = hit_box_of(N - 1, N - 1);
    int64_t found = 0;

    fill_numbers(l.place, turned);
    HIT_MUST(hit_tile_set_boundary(l.place, -1, HIT_BOUNDARY_PERIODIC, NULL));
    expect_failure(&e, hit_launch(e.hit, &scatter_next, hit_domain_of(N), l.y, l.place),
                   HIT_E_PATTERN, "some beyond a boundary",
                   "kernel scatter_next, argument y, tile y: by the pattern "
                   "\"[place[i+1]]\" elements 1:60 of place say where to write, but it "
                   "has 0:59");
    expect_failure(&e, hit_launch(e.hit, &scatter_next, last, l.y, l.place),
                   HIT_E_PATTERN, "all beyond a boundary", "elements 60:60 of place");
    HIT_MUST(hit_launch(e.hit, &scatter_next, most, l.y, l.place));
    HIT_MUST(hit_tile_get(l.y, (hit_index[]){0}, &found));
    expect_true(&e, found == N - 2, "what follows works");
    HIT_MUST(hit_launch(e.hit, &scatter_next, hit_domain_of(N), l.y, l.place,
                        HIT_WHERE("i < 20 or 30 <= i < 59")));
    drop_lines(&l);
    expect_close(&e);
}
END_TEST

static bool has_marks(const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        if (plan->use[u].marks != NULL) return true;
    }
    return false;
}

static int sets_of(const hit_context *hit)
{
    const hit_launcher *launcher = hit->launcher;
    int sets = 0;

    for (int k = 0; k < launcher->plans; k++) {
        sets += has_marks(launcher->plan[k]);
    }
    return sets;
}

START_TEST(sets_of_old_numbers_are_given_back)
{
    hit_context *hit = NULL;
    lines l;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    for (int t = 0; t < 5; t++) {
        l = make_lines(hit, "block");
        for (int step = 0; step < 5; step++) {
            fill_numbers(l.place, step % 2 == 0 ? turned : same);
            HIT_MUST(put(hit, &l, hit_domain_of(N)));
            HIT_MUST(put(hit, &l, hit_domain_of(N - 1)));
            ck_assert_int_eq(sets_of(hit), hit_size(hit) > 1 ? 2 : 0);
        }
        drop_lines(&l);
    }
    hit_close(&hit);
}
END_TEST

/* A process that had no memory for a plan at another place has given back others, but
 * asks nobody alone. */
START_TEST(plans_that_all_have_looked_at_stay)
{
    expectations e = expect_open(NULL);
    const bool last = hit_rank(e.hit) == hit_size(e.hit) - 1;
    lines l = make_lines(e.hit, "block");
    int calls;

    fill_numbers(l.place, turned);
    HIT_MUST(put(e.hit, &l, hit_domain_of(N)));
    expect_usable(&e, "a launch");
    test_fault.kind = FAULT_ALLOCATION;
    test_fault.sticky = false;
    test_fault.fail_at = last && hit_size(e.hit) > 1;
    test_fault_begin();
    HIT_MUST(hit_launch(e.hit, &line, hit_box_of(2, 17), e.next, e.now));
    test_fault.on = false;
    test_fault.fail_at = 0;
    calls = collectives_count();
    HIT_MUST(put(e.hit, &l, hit_domain_of(N)));
    expect_true(&e, collectives_count() == calls, "nobody is asked");
    HIT_MUST(hit_barrier(e.hit));
    drop_lines(&l);
    expect_close(&e);
}
END_TEST

static uint64_t looking_of(const hit_context *hit)
{
    uint64_t looking = 0;

    for (int k = 0; k < hit->launcher->plans; k++) {
        looking += hit->launcher->plan[k]->known->looked != 0;
    }
    return looking;
}

/* At 400 places, most of which are of several processes, and have a plan each. */
static void launch_everywhere(const expectations *e, const lines *l, int turn)
{
    for (int k = 400 * turn; k < 400 * (turn + 1); k++) {
        HIT_MUST(hit_launch(e->hit, &line, hit_box_of(k / 40, 20 + k % 40), l->y, l->x));
    }
}

/* The same, and each process has then so many others that it forgets some: the same ones
 * of those that all have looked at. */
START_TEST(plans_that_all_have_looked_at_are_forgotten_alike)
{
    expectations e = expect_open(NULL);
    const bool last = hit_rank(e.hit) == hit_size(e.hit) - 1;
    lines l = make_lines(e.hit, "block");
    uint64_t all;
    bool alike;

    fill_numbers(l.place, turned);
    HIT_MUST(put(e.hit, &l, hit_domain_of(N)));
    HIT_MUST(hit_tile_set_boundary(l.x, -1, HIT_BOUNDARY_PERIODIC, NULL));
    launch_everywhere(&e, &l, 0);
    test_fault.kind = FAULT_ALLOCATION;
    test_fault.sticky = false;
    test_fault.fail_at = last && hit_size(e.hit) > 1;
    test_fault_begin();
    HIT_MUST(hit_launch(e.hit, &line, hit_box_of(25, 55), l.y, l.x));
    test_fault.on = false;
    test_fault.fail_at = 0;
    launch_everywhere(&e, &l, 1);
    all = looking_of(e.hit);
    HIT_MUST(hit_comm_sum_u64(e.hit->comm, &all, 1));
    alike = all == (uint64_t)hit_size(e.hit) * looking_of(e.hit);
    expect_true(&e, alike, "all have the same of them");
    if (alike) HIT_MUST(put(e.hit, &l, hit_domain_of(N))); /* else some would wait */
    drop_lines(&l);
    expect_close(&e);
}
END_TEST

static uint64_t messages_of(bool dry)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hit_context *hit = NULL;
    hit_stats before;
    hit_stats stats;
    lines l;

    ck_assert_int_eq(setenv("HIT_PLAN", dry ? "json" : "0", 1), 0);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = out}, &hit));
    l = make_lines(hit, "block");
    fill_numbers(l.place, strewn);
    HIT_MUST(hit_context_stats_all(hit, &before));
    HIT_MUST(put(hit, &l, hit_domain_of(N)));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    drop_lines(&l);
    hit_close(&hit);
    ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
    ck_assert_int_eq(fclose(out), 0);
    free(text);
    return stats.messages_sent - before.messages_sent;
}

/* Nothing of what is written is brought before. */
START_TEST(a_dry_run_foretells_the_messages)
{
    ck_assert_uint_eq(messages_of(true), messages_of(false));
}
END_TEST

START_TEST(what_cannot_be_is_told)
{
    expectations e = expect_open(NULL);
    const hit_domain all = hit_domain_of(N);
    lines l = make_lines(e.hit, "block");
    hit_tile *square = NULL;

    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(N, N), "block", HIT_INT64, "a", &square));
    fill_numbers(l.place, same);
    expect_failure(
        &e, hit_launch(e.hit, &scatter_two, all, square, l.place), HIT_E_PATTERN,
        "two numbers",
        "kernel scatter_two, argument y: expected one number for each index "
        "that says where it writes, as in \"[place]\" or \"[place[i], j]\", but "
        "found \"[place, place]\"");
    expect_failure(&e, hit_launch(e.hit, &scatter_range, all, l.y, l.place),
                   HIT_E_PATTERN, "a range", "but found \"[place : place+1]\"");
    expect_failure(&e, hit_launch(e.hit, &scatter_any, all, l.y, l.place), HIT_E_PATTERN,
                   "many numbers", "but found \"[place[:]]\"");
    expect_failure(&e, hit_launch(e.hit, &scatter_add, all, l.y, l.place), HIT_E_PATTERN,
                   "a sum", "expected mode in or out, and indices in any order");
    expect_failure(&e,
                   hit_launch(e.hit, &scatter_put, all, l.y, l.x, l.place,
                              HIT_VALUE(zero), HIT_WHERE("x < 3")),
                   HIT_E_PATTERN, "indices that data leaves",
                   "expected an element of its own for each index");
    HIT_MUST(put(e.hit, &l, all));
    hit_tile_destroy(&square);
    drop_lines(&l);
    expect_close(&e);
}
END_TEST

START_TEST(an_iteration_is_planned_once_and_votes_no_more)
{
    hit_context *hit = NULL;
    lines l;
    uint64_t plans;
    int calls;
    int64_t found = 0;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    l = make_lines(hit, "block");
    fill_numbers(l.place, turned);
    HIT_MUST(put(hit, &l, hit_domain_of(N)));
    plans = hit->launcher->plans_made;
    calls = collectives_count();
    for (int t = 0; t < 5; t++) {
        fill_numbers(l.x, turned);
        HIT_MUST(put(hit, &l, hit_domain_of(N)));
    }
    ck_assert_uint_eq(hit->launcher->plans_made, plans);
    ck_assert_int_eq(collectives_count(), calls);
    HIT_MUST(hit_tile_get(l.y, (hit_index[]){5}, &found));
    ck_assert_int_eq(found, 3 * 5 + N - 6);
    drop_lines(&l);
    hit_close(&hit);
}
END_TEST

typedef struct pair {
    int32_t one;
    char other;
} pair;

START_TEST(elements_may_be_of_any_type)
{
    hit_context *hit = NULL;
    const hit_domain all = hit_domain_of(N);
    const pair before = {-1, 'a'};
    hit_tile *y = NULL;
    hit_tile *place = NULL;
    bool right = true;

    HIT_MUST(hit_open(NULL, NULL, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_BYTES(pair), "y", &y));
    HIT_MUST(hit_tile_make(hit, all, "cyclic", HIT_INT64, "place", &place));
    HIT_MUST(hit_tile_fill(y, &before));
    fill_numbers(place, turned);
    HIT_MUST(hit_launch(hit, &scatter_pairs, hit_domain_of(N - 10), y, place));
    for (hit_index k = 0; k < N; k++) {
        const pair want =
            k < 10 ? before : (pair){(int32_t)(N - 8 - k), (char)(N - 1 - k)};
        pair found;

        HIT_MUST(hit_tile_get(y, &k, &found));
        right = right && found.one == want.one && found.other == want.other;
    }
    ck_assert(right);
    hit_tile_destroy(&y);
    hit_tile_destroy(&place);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/launch/scatter");
    TCase *tests = tcase_create("scatter");

    tcase_set_timeout(tests, 0);
    add_trial_tests(tests, 78, 20, 6);
    tcase_add_test(tests, what_is_written_twice_is_told_by_all);
    tcase_add_test(tests, rows_that_several_indices_write_are_told);
    tcase_add_test(tests, an_index_without_a_number_is_told);
    tcase_add_test(tests, sets_of_old_numbers_are_given_back);
    tcase_add_test(tests, plans_that_all_have_looked_at_stay);
    tcase_add_test(tests, plans_that_all_have_looked_at_are_forgotten_alike);
    tcase_add_test(tests, a_dry_run_foretells_the_messages);
    tcase_add_test(tests, what_cannot_be_is_told);
    tcase_add_test(tests, an_iteration_is_planned_once_and_votes_no_more);
    tcase_add_test(tests, elements_may_be_of_any_type);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
