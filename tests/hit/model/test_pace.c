/* SPDX-License-Identifier: MIT
 * What is learned from the times of runs, on a made-up machine. */
#include "hit/model/pace.h"
#include "tests/support/check_main.h"

START_TEST(a_kernel_is_forgotten_only_for_another_one)
{
    static char kernel[4 * HIT_PACES];
    hit_paces paces = {0};
    int known = 0;

    for (int k = 0; k < 4 * HIT_PACES; k++) {
        hit_pace *pace = hit_paces_find(&paces, &kernel[k], 10);

        ck_assert(pace->shared_ns == 0 && pace->alone_ns == 0 && pace->left == 0);
        hit_pace_note(pace, true, 10, 1e-6 * (k + 1));
        ck_assert_ptr_eq(hit_paces_find(&paces, &kernel[k], 12), pace);
        ck_assert_double_eq_tol(pace->shared_ns, 100 * (k + 1), 1e-6);
        ck_assert_double_eq(hit_paces_find(&paces, &kernel[k], 100)->shared_ns, 0);
        hit_pace_note(hit_paces_find(&paces, &kernel[k], 10), true, 10, 1e-6);
    }
    for (int k = 4 * HIT_PACES; k-- > 0;) { /* the last ones are there */
        const hit_pace *pace = hit_paces_find(&paces, &kernel[k], 10);

        ck_assert_ptr_eq(pace->kernel, &kernel[k]);
        known += pace->shared_ns > 0;
    }
    ck_assert_int_ge(known, 1);
    ck_assert_int_le(known, HIT_PACES);
}
END_TEST

/* How many of @p runs are shared, if they take so long? */
static int shared_of(hit_pace *pace, int runs, double shared_s, double alone_s)
{
    int count = 0;

    for (int run = 0; run < runs; run++) {
        bool timed = false;
        const bool shared = hit_pace_shares(pace, 1000, &timed);

        count += shared;
        if (timed) hit_pace_note(pace, shared, 1000, shared ? shared_s : alone_s);
    }
    return count;
}

START_TEST(the_faster_way_is_found_and_followed)
{
    hit_pace pace = {0};

    ck_assert_int_le(shared_of(&pace, 1000, 8e-6, 4e-6), 50);
    (void)shared_of(&pace, 3000, 2e-6, 4e-6); /* it changes */
    ck_assert_int_ge(shared_of(&pace, 1000, 2e-6, 4e-6), 950);
    (void)shared_of(&pace, 3000, 5e-6, 4e-6);
    ck_assert_int_le(shared_of(&pace, 1000, 5e-6, 4e-6), 50);
}
END_TEST

START_TEST(long_runs_are_shared_and_what_is_slower_by_far_is_left_alone)
{
    hit_pace pace = {0};
    hit_pace other = {0};

    ck_assert_int_eq(shared_of(&pace, 1000, 1e-3, 1e-4), 1000);
    (void)shared_of(&other, 16, 1e-6, 4e-6); /* the last four are not */
    ck_assert_int_eq(shared_of(&other, 1000, 1e-6, 4e-6), 1000);
}
END_TEST

/* The machine was busy when both ways were tried. */
START_TEST(what_seemed_slower_by_far_is_found_again)
{
    hit_pace pace = {0};
    hit_pace other = {0};

    ck_assert_int_le(shared_of(&pace, 1000, 4e-5, 4e-6), 50);
    (void)shared_of(&pace, 40000, 2e-6, 4e-6);
    ck_assert_int_ge(shared_of(&pace, 1000, 2e-6, 4e-6), 950);
    ck_assert_int_ge(shared_of(&other, 1000, 2e-6, 4e-5), 950);
    (void)shared_of(&other, 40000, 2e-6, 1e-6);
    ck_assert_int_le(shared_of(&other, 1000, 2e-6, 1e-6), 50);
    /* longer than what is tried, once it was better alone */
    pace = (hit_pace){0};
    ck_assert_int_ge(shared_of(&pace, 1000, 4e-5, 6e-5), 950);
    (void)shared_of(&pace, 3000, 9e-5, 6e-5);
    (void)shared_of(&pace, 20000, 3e-5, 6e-5);
    ck_assert_int_ge(shared_of(&pace, 1000, 3e-5, 6e-5), 950);
}
END_TEST

START_TEST(one_slow_run_changes_little_and_many_change_it)
{
    hit_pace pace = {0};

    hit_pace_note(&pace, true, 1000, 1e-6);
    hit_pace_note(&pace, true, 1000, 1e-6);
    ck_assert_double_eq_tol(pace.shared_ns, 1, 1e-9);
    hit_pace_note(&pace, true, 1000, 5e-4); /* 500 times as slow */
    ck_assert_double_le(pace.shared_ns, 1.3);
    for (int run = 0; run < 20; run++) {
        hit_pace_note(&pace, true, 1000, 4e-6);
    }
    ck_assert_double_eq_tol(pace.shared_ns, 4, 0.1);
    for (int run = 0; run < 20; run++) {
        hit_pace_note(&pace, true, 2000, 2e-6);
    }
    ck_assert_double_eq_tol(pace.shared_ns, 1, 0.01);
    ck_assert_double_eq(pace.alone_ns, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.device.pace");
    TCase *tests = tcase_create("pace");

    tcase_add_test(tests, a_kernel_is_forgotten_only_for_another_one);
    tcase_add_test(tests, the_faster_way_is_found_and_followed);
    tcase_add_test(tests, long_runs_are_shared_and_what_is_slower_by_far_is_left_alone);
    tcase_add_test(tests, what_seemed_slower_by_far_is_found_again);
    tcase_add_test(tests, one_slow_run_changes_little_and_many_change_it);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
