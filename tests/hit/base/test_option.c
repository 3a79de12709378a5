/* SPDX-License-Identifier: MIT
 * Options of a text: sorted, once each, with lists as values. */
#include "hit/base/input.h"
#include "tests/support/check_main.h"

#include <string.h>

static void expect_refused(const char *text, const char *why)
{
    hit_option_list options;

    ck_assert_int_eq(hit_option_read("thing", text, &options), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), why) != NULL, "%s", hit_status_text());
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "thing: "));
    hit_option_clear(&options);
}

START_TEST(no_text_has_no_options)
{
    static const char *const none[] = {NULL, "", "  "};

    for (int k = 0; k < 3; k++) {
        hit_option_list options;

        HIT_MUST(hit_option_read("thing", none[k], &options));
        ck_assert_int_eq(options.count, 0);
        hit_option_clear(&options);
    }
}
END_TEST

START_TEST(options_are_sorted_and_values_may_be_lists)
{
    hit_option_list options;

    HIT_MUST(hit_option_read("thing", "sizes=1,2,3, low = 0.5 ,a=x y", &options));
    ck_assert_int_eq(options.count, 3);
    ck_assert_str_eq(options.key[0], "a");
    ck_assert_str_eq(options.value[0], "x y");
    ck_assert_str_eq(options.key[1], "low");
    ck_assert_str_eq(options.value[1], "0.5");
    ck_assert_str_eq(options.key[2], "sizes");
    ck_assert_str_eq(options.value[2], "1,2,3");
    hit_option_clear(&options);
    hit_option_clear(&options);
}
END_TEST

START_TEST(what_is_no_option_is_refused)
{
    expect_refused("low", "expected option=value but found \"low\"");
    expect_refused("=1", "expected option=value but found \"=1\"");
    expect_refused("low=", "expected option=value but found \"low=\"");
    expect_refused("low=1,high=2,low=3", "option low is given twice");
}
END_TEST

START_TEST(an_option_is_known_by_its_whole_key)
{
    const char *value = NULL;

    ck_assert(hit_option_is("memory=1 GiB", "memory", &value));
    ck_assert_str_eq(value, "1 GiB");
    ck_assert(!hit_option_is("memory=1", "mem", &value));
    ck_assert(!hit_option_is("memory", "memory", &value));
    ck_assert_str_eq(value, "1 GiB");
}
END_TEST

static hit_status take_until_stop(void *of, const char *key, const char *value)
{
    int *taken = of;

    if (strcmp(key, "stop") == 0) return HIT_FAIL(HIT_E_ARG, "stop is %s", value);
    (*taken)++;
    return HIT_OK;
}

START_TEST(each_option_is_taken_until_one_cannot_be)
{
    int taken = 0;

    HIT_MUST(hit_option_each("thing", "b=2,a=1", take_until_stop, &taken));
    ck_assert_int_eq(taken, 2);
    ck_assert_int_eq(hit_option_each("thing", "a=1,stop=2,z=3", take_until_stop, &taken),
                     HIT_E_ARG);
    ck_assert_str_eq(hit_status_text(), "stop is 2");
    ck_assert_int_eq(taken, 3);
    ck_assert_int_eq(hit_option_each("thing", "a=1,b=", take_until_stop, &taken),
                     HIT_E_ARG);
    ck_assert_int_eq(taken, 3);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/option");
    TCase *option = tcase_create("option");

    tcase_add_test(option, no_text_has_no_options);
    tcase_add_test(option, options_are_sorted_and_values_may_be_lists);
    tcase_add_test(option, what_is_no_option_is_refused);
    tcase_add_test(option, an_option_is_known_by_its_whole_key);
    tcase_add_test(option, each_option_is_taken_until_one_cannot_be);
    suite_add_tcase(all, option);
    return all;
}

int main(void)
{
    return check_run(suite());
}
