/* SPDX-License-Identifier: MIT
 * Numbers of options are whole texts within their limits, or refused. */
#include "hit/base/input.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"

#include <float.h>
#include <string.h>

static void expect_refused(const char *text)
{
    hit_index number = 77;

    ck_assert_int_eq(hit_number_read("--size", text, -5, 99, &number), HIT_E_ARG);
    ck_assert_int_eq(number, 77);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "expected a whole number from -5 to 99 for --size"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), text));
}

START_TEST(a_whole_number_is_the_whole_text)
{
    static const char *const wrong[] = {"",  "x",   "10x", " 1",  "1 ", "+1",
                                        "-", "1.5", "1e1", "--1", "0x1"};
    hit_index number = 0;

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        expect_refused(wrong[k]);
    }
    HIT_MUST(hit_number_read("--size", "10", -5, 99, &number));
    ck_assert_int_eq(number, 10);
    HIT_MUST(hit_number_read("--size", "-5", -5, 99, &number));
    ck_assert_int_eq(number, -5);
}
END_TEST

START_TEST(a_number_outside_its_limits_is_refused)
{
    hit_index number = 77;

    expect_refused("100");
    expect_refused("-6");
    expect_refused("9223372036854775808"); /* 2^63 */
    expect_refused("-9223372036854775809");
    HIT_MUST(hit_number_read("n", "9223372036854775807", 0, INT64_MAX, &number));
    ck_assert_int_eq(number, INT64_MAX);
    ck_assert_int_eq(hit_number_read("n", NULL, 1, INT64_MAX, &number), HIT_E_ARG);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "expected a whole number >= 1 for n but found \"\""));
}
END_TEST

START_TEST(the_next_number_leaves_the_place_where_there_is_none)
{
    const char *text = "3-x";
    const char *at = text;
    hit_index number = 77;

    ck_assert(hit_number_next(&at, 0, 9, &number));
    ck_assert_int_eq(number, 3);
    ck_assert_str_eq(at, "-x");
    ck_assert(!hit_number_next(&at, 0, 9, &number));
    ck_assert_str_eq(at, "-x");
    ck_assert_int_eq(number, 3);
}
END_TEST

static void expect_reals(void)
{
    static const char *const wrong[] = {"",    "0,5", "1.5",  "-0.1",
                                        "nan", "inf", "0.5x", "x"};
    double number = 77;

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_int_eq(hit_number_read_real("low=", wrong[k], 0, 1, &number),
                         HIT_E_ARG);
        ck_assert_double_eq(number, 77);
        ck_assert_ptr_nonnull(
            strstr(hit_status_text(), "expected a number from 0 to 1 for low="));
    }
    HIT_MUST(hit_number_read_real("low=", "0.5", 0, 1, &number));
    ck_assert_double_eq(number, 0.5);
    HIT_MUST(hit_number_read_real("low=", "-2.5e3", -DBL_MAX, DBL_MAX, &number));
    ck_assert_double_eq(number, -2500);
}

START_TEST(a_real_number_has_a_point_whatever_the_locale)
{
    expect_reals();
    (void)comma_locale_set();
    expect_reals();
    comma_locale_reset();
}
END_TEST

START_TEST(a_list_has_numbers_between_separators)
{
    static const char *const wrong[] = {"",     "x",   "3x",      "x3",
                                        "3xx4", "3,4", "1x2x3x4", "3x-1"};
    hit_index number[3];
    int count = -1;

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_int_eq(hit_number_list("--domain", wrong[k],
                                         &(hit_number_shape){'x', 0, 3}, &count, number),
                         HIT_E_ARG);
        ck_assert_int_eq(count, -1);
    }
    HIT_MUST(hit_number_list("--domain", "3x0x12", &(hit_number_shape){'x', 0, 3}, &count,
                             number));
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(number[1], 0);
    ck_assert_int_eq(number[2], 12);
    HIT_MUST(
        hit_number_list("--domain", "7", &(hit_number_shape){'x', 0, 3}, &count, number));
    ck_assert_int_eq(count, 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/number");
    TCase *number = tcase_create("number");

    tcase_add_test(number, a_whole_number_is_the_whole_text);
    tcase_add_test(number, a_number_outside_its_limits_is_refused);
    tcase_add_test(number, the_next_number_leaves_the_place_where_there_is_none);
    tcase_add_test(number, a_real_number_has_a_point_whatever_the_locale);
    tcase_add_test(number, a_list_has_numbers_between_separators);
    suite_add_tcase(all, number);
    return all;
}

int main(void)
{
    return check_run(suite());
}
