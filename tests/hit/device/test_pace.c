/* SPDX-License-Identifier: MIT
 * What is learned from the times of runs. */
#include "hit/device/pace.h"
#include "tests/support/check_main.h"

START_TEST(a_kernel_is_forgotten_only_for_another_one)
{
    static hit_kernel kernel[4 * HIT_PACES];
    hit_paces paces = {0};
    int known = 0;

    for (int k = 0; k < 4 * HIT_PACES; k++) {
        hit_pace *pace = hit_paces_find(&paces, &kernel[k]);

        ck_assert(pace->index_ns == 0 && pace->runs == 0);
        hit_pace_note(pace, 10, 1e-6 * (k + 1));
        ck_assert_ptr_eq(hit_paces_find(&paces, &kernel[k]), pace);
        ck_assert_double_eq_tol(pace->index_ns, 100 * (k + 1), 1e-6);
    }
    for (int k = 4 * HIT_PACES; k-- > 0;) { /* the last ones are there */
        const hit_pace *pace = hit_paces_find(&paces, &kernel[k]);

        ck_assert_ptr_eq(pace->kernel, &kernel[k]);
        known += pace->index_ns > 0;
    }
    ck_assert_int_ge(known, 1);
    ck_assert_int_le(known, HIT_PACES);
}
END_TEST

START_TEST(the_first_runs_are_timed_and_few_of_the_others)
{
    hit_pace pace = {0};
    int timed = 0;

    ck_assert(hit_pace_samples(&pace));
    ck_assert(hit_pace_samples(&pace));
    for (int run = 0; run < 3200; run++) {
        timed += hit_pace_samples(&pace);
    }
    ck_assert_int_ge(timed, 100);
    ck_assert_int_le(timed, 110);
}
END_TEST

START_TEST(one_slow_run_changes_little_and_many_change_it)
{
    hit_pace pace = {0};

    hit_pace_note(&pace, 1000, 1e-6);
    hit_pace_note(&pace, 1000, 1e-6);
    ck_assert_double_eq_tol(pace.index_ns, 1, 1e-9);
    hit_pace_note(&pace, 1000, 5e-4); /* 500 times as slow */
    ck_assert_double_le(pace.index_ns, 1.3);
    for (int run = 0; run < 20; run++) {
        hit_pace_note(&pace, 1000, 4e-6);
    }
    ck_assert_double_eq_tol(pace.index_ns, 4, 0.1);
    for (int run = 0; run < 20; run++) {
        hit_pace_note(&pace, 2000, 2e-6);
    }
    ck_assert_double_eq_tol(pace.index_ns, 1, 0.01);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.device.pace");
    TCase *tests = tcase_create("pace");

    tcase_add_test(tests, a_kernel_is_forgotten_only_for_another_one);
    tcase_add_test(tests, the_first_runs_are_timed_and_few_of_the_others);
    tcase_add_test(tests, one_slow_run_changes_little_and_many_change_it);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
