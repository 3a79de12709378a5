/* SPDX-License-Identifier: MIT
 * Numbers have a '.' in every locale. */
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"

#include <locale.h>
#include <math.h>

static void expect_points(void)
{
    const char *end;
    char text[32];
    double number = 0;

    ck_assert_int_eq(hit_text_print(text, sizeof(text), "%.3f %s", 2017.303, "a,b"), 12);
    ck_assert_str_eq(text, "2017.303 a,b");
    ck_assert_double_eq(hit_text_real("0.5,1", &end), 0.5);
    ck_assert_str_eq(end, ",1");
    ck_assert_int_eq(hit_text_scan("\"ts\": 1.25,", "\"ts\": %lf,", &number), 1);
    ck_assert_double_eq(number, 1.25);
}

START_TEST(a_percentage_is_a_finite_number_of_0_or_more)
{
    static const char *const wrong[] = {"",    "%",    "-1%", "5%%",
                                        "5 %", "inf%", "nan", "1e999"};
    double share = 0;

    ck_assert(hit_text_percent("5%", &share));
    ck_assert_double_eq(share, 0.05);
    ck_assert(hit_text_percent("150", &share));
    ck_assert_double_eq(share, 1.5);
    ck_assert(hit_text_percent("0", &share));
    ck_assert_double_eq(share, 0);
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_msg(!hit_text_percent(wrong[k], &share), "\"%s\"", wrong[k]);
    }
}
END_TEST

START_TEST(a_number_has_a_point_whatever_the_locale)
{
    expect_points();
    (void)comma_locale_set();
    expect_points();
    comma_locale_reset();
}
END_TEST

START_TEST(the_locale_of_the_program_stays)
{
    char text[16];

    if (!comma_locale_set()) return;
    expect_points();
    (void)snprintf(text, sizeof(text), "%.1f", 0.5);
    ck_assert_str_eq(text, "0,5");
    comma_locale_reset();
}
END_TEST

START_TEST(a_text_in_a_file_has_points)
{
    FILE *file = tmpfile();
    char text[16] = "";

    ck_assert_ptr_nonnull(file);
    (void)comma_locale_set();
    hit_say(file, "%g", 0.25);
    comma_locale_reset();
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    ck_assert_str_eq(text, "0.25");
    (void)fclose(file);
}
END_TEST

START_TEST(what_is_no_number_is_not_read)
{
    static const char *const text[] = {"", " 1", "+1", "x", "-", ".", ","};

    for (size_t k = 0; k < sizeof(text) / sizeof(text[0]); k++) {
        const char *end;

        (void)hit_text_real(text[k], &end);
        ck_assert_ptr_eq(end, text[k]);
    }
}
END_TEST

START_TEST(infinity_and_no_number_are_read)
{
    const char *end;

    ck_assert(isinf(hit_text_real("inf", &end)));
    ck_assert_str_eq(end, "");
    ck_assert(isnan(hit_text_real("nan", &end)));
    ck_assert_double_eq(hit_text_real("-1.5e3", &end), -1500.0);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/text");
    TCase *text = tcase_create("text");

    tcase_add_test(text, a_percentage_is_a_finite_number_of_0_or_more);
    tcase_add_test(text, a_number_has_a_point_whatever_the_locale);
    tcase_add_test(text, the_locale_of_the_program_stays);
    tcase_add_test(text, a_text_in_a_file_has_points);
    tcase_add_test(text, what_is_no_number_is_not_read);
    tcase_add_test(text, infinity_and_no_number_are_read);
    suite_add_tcase(all, text);
    return all;
}

int main(void)
{
    return check_run(suite());
}
