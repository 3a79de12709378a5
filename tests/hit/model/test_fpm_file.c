/* SPDX-License-Identifier: MIT
 * Models as text: what is written is read again, and mistakes are told with their line.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp */

#include "hit/model/fpm_file.h"
#include "hit/model/fpm_time.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"
#include "tests/support/fpm_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(the_three_kinds_are_read)
{
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_parse("# hit model 1\nkind constant\nspeed 2.5e2\n", "c", &fpm));
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 1000), 4.0, 1e-15);
    ck_assert_int_eq(hit_fpm_cap(fpm), INT64_MAX);
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_parse("# hit model 1\nkind functional\ncap 30\n20 5\n10 10\n", "f",
                           &fpm));
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 15), 2.0, 1e-15);
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 30), 6.0, 1e-15);
    ck_assert(isinf(hit_fpm_time(fpm, 31)));
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_fpm_parse("# hit model 1\nkind table\n1 0.5\n3 inf\n2 1\n", "t", &fpm));
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 2), 1.0, 1e-15);
    ck_assert(isinf(hit_fpm_time(fpm, 3)));
    ck_assert(isinf(hit_fpm_time(fpm, 4)));
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(comments_blank_lines_and_repetitions_are_read)
{
    const char *text = "#  hit model 1 \r\n"
                       "\n"
                       "# kernel heat\n"
                       "  kind\tfunctional # a comment\r\n"
                       "10 1\n"
                       "   \n"
                       "1e1 2 3\n"
                       "cap 9007199254740993";
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_parse(text, "f", &fpm));
    ck_assert_uint_eq(hit_fpm_count(fpm), 1);
    ck_assert_double_eq_tol(hit_fpm_point_at(fpm, 0).reps, 4.0, 1e-15);
    ck_assert_double_eq_tol(hit_fpm_time(fpm, 10), (10.0 + 3 * 5.0) / 4.0, 1e-14);
    ck_assert_int_eq(hit_fpm_cap(fpm), INT64_C(9007199254740993));
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(mistakes_are_told_with_their_line)
{
    static const struct {
        const char *text;
        const char *told;
    } wrong[] = {
        {"", "f:1: expected \"# hit model 1\""},
        {"# hit model 12\nkind constant\nspeed 1\n", "f:1: expected"},
        {"kind constant\nspeed 1\n", "f:1: expected"},
        {"# hit model 1\n", "f:2: expected a kind"},
        {"# hit model 1\nspeed 1\n", "f:2: expected the kind first"},
        {"# hit model 1\nkind linear\n", "f:2: expected kind constant"},
        {"# hit model 1\nkind\n", "f:2: expected kind constant"},
        {"# hit model 1\nkind table\nkind table\n", "f:3: expected one line"},
        {"# hit model 1\nkind constant\n", "f:3: expected a speed"},
        {"# hit model 1\nkind constant\nspeed 1\nspeed 1\n", "f:4: expected one speed"},
        {"# hit model 1\nkind constant\nspeed\n", "f:3: expected one number"},
        {"# hit model 1\nkind constant\nspeed 1 2\n", "f:3: expected one number"},
        {"# hit model 1\nkind constant\nspeed -1\n", "f:3: expected a speed >= 0"},
        {"# hit model 1\nkind constant\nspeed nan\n", "f:3: expected a speed >= 0"},
        {"# hit model 1\nkind constant\nspeed 1e999\n", "f:3: expected a finite"},
        {"# hit model 1\nkind constant\nspeed x\n", "f:3: expected a number"},
        {"# hit model 1\nkind constant\n1 2\n", "f:3: expected \"speed\""},
        {"# hit model 1\nkind functional\nspeed 2\n", "f:3: expected two numbers"},
        {"# hit model 1\nkind functional\n\n# none\n", "f:5: expected at least one"},
        {"# hit model 1\nkind functional\n1\n", "f:3: expected two numbers"},
        {"# hit model 1\nkind functional\n1 2 3 4\n", "f:3: expected the end"},
        {"# hit model 1\nkind functional\n1 2 0\n", "f:3: expected repetitions > 0"},
        {"# hit model 1\nkind functional\n-1 2\n", "f:3: expected units >= 0"},
        {"# hit model 1\nkind functional\n1 2x\n", "f:3: expected a number"},
        {"# hit model 1\nkind functional\ncap -1\n", "f:3: expected a cap"},
        {"# hit model 1\nkind functional\ncap 1\ncap 1\n", "f:4: expected at most one"},
        {"# hit model 1\nkind table\n1.5 2\n", "f:3: expected whole units"},
        {"# hit model 1\nkind table\n1 -2\n", "f:3: expected seconds >= 0"},
        {"# hit model 1\nkind table\n0 2\n", "f:3: expected 0 seconds"},
    };

    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        hit_fpm *fpm = NULL;

        ck_assert_msg(hit_fpm_parse(wrong[k].text, "f", &fpm) == HIT_E_ARG, "case %zu",
                      k);
        ck_assert_ptr_null(fpm);
        ck_assert_msg(strncmp(hit_status_text(), wrong[k].told, strlen(wrong[k].told)) ==
                          0,
                      "case %zu: %s", k, hit_status_text());
    }
}
END_TEST

static bool same(const hit_fpm *a, const hit_fpm *b)
{
    bool good = hit_fpm_kind_of(a) == hit_fpm_kind_of(b) &&
                hit_fpm_count(a) == hit_fpm_count(b) && hit_fpm_cap(a) == hit_fpm_cap(b);

    for (size_t k = 0; good && k < hit_fpm_count(a); k++) {
        hit_fpm_point left = hit_fpm_point_at(a, k);
        hit_fpm_point right = hit_fpm_point_at(b, k);

        good = memcmp(&left, &right, sizeof left) == 0;
    }
    return good;
}

START_TEST(what_is_written_is_read_again_to_the_last_bit)
{
    hit_random random = hit_random_start(71);
    char text[16384];

    for (int i = 0; i < 3000; i++) {
        fpm_case one = fpm_case_random(&random, (fpm_case_shape)(i % CASE_SHAPES), 1000);
        hit_fpm *fpm;
        hit_fpm *again = NULL;
        FILE *file = tmpfile();
        size_t size;

        ck_assert_ptr_nonnull(file);
        for (size_t k = 0; k < one.count; k++) {
            one.point[k].value *= 1.0 + 1e-3 * (double)hit_random_index(&random, 0, 999);
        }
        fpm = fpm_case_model(&one);
        HIT_MUST(hit_fpm_write(fpm, file));
        rewind(file);
        size = fread(text, 1, sizeof text - 1, file);
        text[size] = '\0';
        (void)fclose(file);
        HIT_MUST(hit_fpm_parse(text, "again", &again));
        ck_assert_msg(same(fpm, again), "case %d:\n%s", i, text);
        hit_fpm_destroy(&fpm);
        hit_fpm_destroy(&again);
    }
}
END_TEST

START_TEST(files_that_are_not_there_or_no_text_are_told)
{
    hit_fpm *fpm = NULL;

    ck_assert_int_eq(hit_fpm_load("/nonexistent/model", &fpm), HIT_E_IO);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "/nonexistent/model"));
    ck_assert_int_eq(hit_fpm_load("/", &fpm), HIT_E_IO);
    ck_assert_ptr_null(fpm);
}
END_TEST

START_TEST(a_file_that_is_cut_inside_a_number_is_refused)
{
    static const char whole[] = "# hit model 1\nkind functional\n10 1000\n20 3000\n";
    char path[] = "/tmp/hit_cut_XXXXXX";
    const int handle = mkstemp(path);

    ck_assert_int_ge(handle, 0);
    (void)close(handle);
    for (size_t bytes = 0; bytes < sizeof(whole); bytes++) {
        const bool ends = bytes == sizeof(whole) - 1 || bytes == sizeof(whole) - 9;
        FILE *file = fopen(path, "w");
        hit_fpm *fpm = NULL;

        ck_assert_ptr_nonnull(file);
        (void)fwrite(whole, 1, bytes, file);
        (void)fclose(file);
        ck_assert_int_eq(hit_fpm_load(path, &fpm) == HIT_OK, ends);
        if (bytes == sizeof(whole) - 3) { /* "20 300" */
            ck_assert_ptr_nonnull(strstr(hit_status_text(), path));
            ck_assert_ptr_nonnull(strstr(hit_status_text(), "newline"));
            ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"20 300\""));
        }
        hit_fpm_destroy(&fpm);
    }
    (void)remove(path);
}
END_TEST

START_TEST(a_decimal_comma_of_the_locale_changes_nothing)
{
    hit_fpm *fpm = NULL;
    FILE *file = tmpfile();
    char text[200];

    ck_assert_ptr_nonnull(file);
    (void)comma_locale_set();
    HIT_MUST(hit_fpm_parse("# hit model 1\nkind constant\nspeed 2.5\n", "c", &fpm));
    HIT_MUST(hit_fpm_write(fpm, file));
    comma_locale_reset();
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    ck_assert_str_eq(text, "# hit model 1\nkind constant\nspeed 2.5\n");
    hit_fpm_destroy(&fpm);
    (void)fclose(file);
}
END_TEST

START_TEST(broken_text_is_never_more_than_an_error)
{
    static const char whole[] = "# hit model 1\nkind functional\ncap 77\n10 1e3\n20 "
                                "0x1p3 2\n30 0\n";
    hit_random random = hit_random_start(72);
    int read = 0;

    for (int i = 0; i < 20000; i++) {
        char text[sizeof whole];
        hit_fpm *fpm = NULL;
        int changes = (int)hit_random_index(&random, 1, 3);

        memcpy(text, whole, sizeof whole);
        for (int k = 0; k < changes; k++) {
            text[hit_random_index(&random, 0, sizeof whole - 2)] =
                "0159 \n#.-+ex\tnif"[hit_random_index(&random, 0, 16)];
        }
        if (hit_fpm_parse(text, "f", &fpm) == HIT_OK) read++;
        for (hit_index x = 0; fpm != NULL && x < 40; x++) {
            ck_assert(!isnan(hit_fpm_time(fpm, x)));
        }
        hit_fpm_destroy(&fpm);
    }
    ck_assert_int_gt(read, 100);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("fpm_file");
    TCase *tcase = tcase_create("fpm_file");

    tcase_add_test(tcase, the_three_kinds_are_read);
    tcase_add_test(tcase, comments_blank_lines_and_repetitions_are_read);
    tcase_add_test(tcase, mistakes_are_told_with_their_line);
    tcase_add_test(tcase, what_is_written_is_read_again_to_the_last_bit);
    tcase_add_test(tcase, files_that_are_not_there_or_no_text_are_told);
    tcase_add_test(tcase, a_file_that_is_cut_inside_a_number_is_refused);
    tcase_add_test(tcase, a_decimal_comma_of_the_locale_changes_nothing);
    tcase_add_test(tcase, broken_text_is_never_more_than_an_error);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
