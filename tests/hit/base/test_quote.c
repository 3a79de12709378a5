/* SPDX-License-Identifier: MIT
 * What is quoted is what it was in the other language, and nothing else; what is not is
 * printed as printf() prints it. */
#define _POSIX_C_SOURCE                                                                  \
    200809L /* NOLINT(bugprone-reserved-identifier): open_memstream                      \
             */
#include "hit/base/json.h"
#include "hit/base/quote.h"
#include "hit/base/status.h"
#include "tests/support/check_main.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

static char *memory;
static size_t size;

static FILE *begin(void)
{
    FILE *file = open_memstream(&memory, &size);

    ck_assert_ptr_nonnull(file);
    return file;
}

static void expect(FILE *file, const char *text)
{
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(memory, text);
    free(memory);
}

START_TEST(a_text_is_quoted_in_its_language)
{
    static const struct {
        const char *text, *line, *json, *xml, *gnuplot;
    } known[] = {
        {"plain 1.5", "plain 1.5", "\"plain 1.5\"", "plain 1.5", "\"plain 1.5\""},
        {"", "", "\"\"", "", "\"\""},
        {"a\n!rm", "a\\n!rm", "\"a\\u000a!rm\"", "a&#xa;!rm", "\"a\\012\\041rm\""},
        {"\033[2J", "\\x1b[2J", "\"\\u001b[2J\"", "&#xfffd;[2J", "\"\\033\\1332J\""},
        {"`a` $b @c \"'\\", "`a` $b @c \"'\\", "\"`a` $b @c \\\"'\\\\\"",
         "`a` $b @c &#x22;&#x27;\\", "\"\\140a\\140 \\044b \\100c \\042\\047\\134\""},
        {"</text>&", "</text>&", "\"</text>&\"", "&#x3c;/text&#x3e;&#x26;",
         "\"\\074/text\\076\\046\""},
        {"\xc3\xa4", "\xc3\xa4", "\"\xc3\xa4\"", "\xc3\xa4", "\"\\303\\244\""},
        {"\xc2\x9b", "\\u009b", "\"\\u009b\"", "&#x9b;", "\"\\302\\233\""},
        {"\xe2\x80\xae", "\\u202e", "\"\\u202e\"", "&#x202e;", "\"\\342\\200\\256\""},
        {"\xff", "\\xff", "\"\\ufffd\"", "&#xfffd;", "\"?\""},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80", NULL, "&#xfffd;&#xfffd;&#xfffd;", NULL},
        {"\xc0\xaf", "\\xc0\\xaf", NULL, "&#xfffd;&#xfffd;", NULL},
        {"\xe2\x82", "\\xe2\\x82", NULL, "&#xfffd;&#xfffd;", NULL},
    };

    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        const char *const expected[] = {known[k].line, known[k].json, known[k].xml,
                                        known[k].gnuplot};

        for (int language = 0; language < 4; language++) {
            FILE *file = begin();

            hit_quote_write(file, (hit_language)language, "%s", known[k].text);
            if (expected[language] == NULL) {
                (void)fclose(file);
                free(memory);
                continue;
            }
            expect(file, expected[language]);
        }
    }
}
END_TEST

START_TEST(what_is_not_quoted_is_as_printf_prints_it)
{
    char expected[1024];
    FILE *file = begin();

#define VALUES                                                                           \
    "%d|%5d|%-5d|%05d|%+d|%lld|%" PRId64 "|%" PRIu64 "|%zu|%x|%02x|%u|%%|%g|%.3f|%*.*f|" \
    "%-8.2e|%c|%s|%8s|%-8s|%.2s|%*s|%lu",                                                \
        -3, 42, 42, 42, 42, 1LL << 62, INT64_MIN, UINT64_MAX, (size_t)7, 255u, 10u,      \
        4000000000u, 0.1, 2.5, 9, 2, 3.14159, 1e-9, 'x', "one", "two", "three", "four",  \
        -6, "five", 9UL
    (void)snprintf(expected, sizeof(expected), VALUES);
    hit_say(file, VALUES);
    expect(file, expected);
#undef VALUES
    file = begin();
    hit_say(file, "%.*s|", 2, (const char[]){'a', 'b'}); /* no zero behind it */
    hit_say(file, "%.*s|", 2, (const char[]){'a', '\xe2'});
    expect(file, "ab|a|");
    file = begin();
    hit_say(file, "%.3s|%.4s|%6s|\n", "a\xc3\xa4\xc3\xa4", "a\xc3\xa4\xc3\xa4", "\n");
    expect(file, "a\xc3\xa4|a\xc3\xa4|    \\n|\n");
}
END_TEST

START_TEST(the_text_of_a_failure_does_nothing_at_a_terminal)
{
    char cut[8];
    FILE *file = begin();

    (void)HIT_FAIL(HIT_E_ARG, "no file \"%s\"\n  here", "a\033[2J\nb");
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no file \"a\\x1b[2J\\nb\"\n  here"));
    hit_say(file, "%s", hit_status_text());
    expect(file, hit_status_text()); /* not quoted twice */
    (void)HIT_FAIL(HIT_E_ARG, "%s, twice", hit_status_text());
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\n  here"));
    (void)snprintf(cut, sizeof(cut), "%s", hit_status_text());
    ck_assert_str_eq(cut, "no file");
}
END_TEST

START_TEST(json_has_its_commas_and_knows_no_infinity)
{
    FILE *file = begin();
    hit_json json = {.file = file};

    hit_json_object(&json, NULL);
    hit_json_list(&json, "empty");
    hit_json_end(&json);
    hit_json_text(&json, "a \"key\"", NULL);
    hit_json_list(&json, "list");
    hit_json_object(&json, NULL);
    hit_json_end(&json);
    hit_json_object(&json, NULL);
    hit_json_whole(&json, "w", INT64_MIN);
    hit_json_count(&json, "c", UINT64_MAX);
    hit_json_end(&json);
    hit_json_indices(&json, NULL, 2, (const hit_index[]){1, -2});
    hit_json_end(&json);
    hit_json_real(&json, "r", "%.3f", 0.5);
    hit_json_real(&json, "inf", "%g", HUGE_VAL);
    hit_json_real(&json, "nan", "%g", NAN);
    hit_json_real(&json, "large", "%.1f", DBL_MAX / 1e300);
    hit_json_truth(&json, "t", true);
    hit_json_end_line(&json);
    expect(file, "{\"empty\": [], \"a \\\"key\\\"\": null, \"list\": [{}, {\"w\": "
                 "-9223372036854775808, \"c\": 18446744073709551615}, [1, -2]], "
                 "\"r\": 0.500, \"inf\": null, \"nan\": null, \"large\": 179769313.5, "
                 "\"t\": true}\n");
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("hit/base/quote");
    TCase *quote = tcase_create("quote");

    tcase_add_test(quote, a_text_is_quoted_in_its_language);
    tcase_add_test(quote, what_is_not_quoted_is_as_printf_prints_it);
    tcase_add_test(quote, the_text_of_a_failure_does_nothing_at_a_terminal);
    tcase_add_test(quote, json_has_its_commas_and_knows_no_infinity);
    suite_add_tcase(all, quote);
    return all;
}

int main(void)
{
    return check_run(suite());
}
