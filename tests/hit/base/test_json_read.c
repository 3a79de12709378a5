/* SPDX-License-Identifier: MIT
 * Reading JSON: what RFC 8259 takes and refuses, and values in it. */
#include "hit/base/input.h"
#include "tests/support/check_main.h"

#include <string.h>

static bool is_json(const char *text)
{
    hit_json_value value;

    return hit_json_check("test", text, &value) == HIT_OK;
}

START_TEST(what_is_json_is_taken)
{
    static const char *const right[] = {
        "0",
        "-0.5e+10",
        " true ",
        "null",
        "\"\"",
        "\"\\u00b5\\n\\\\\"",
        "[]",
        "{}",
        "[[], {}]",
        "[1, [2, {\"a\": [3]}], 4]",
        "{\"a\": {\"b\": {}}, \"c\": [1]}",
        "\t{\n\"a\"\r:1}\n",
    };
    static const char *const wrong[] = {
        "",           " ",       "01",          "1.",       ".5",
        "-",          "+1",      "1e",          "tru",      "nul",
        "\"",         "\"\\x\"", "\"\\u12g4\"", "\"\n\"",   "[",
        "]",          "[1",      "[1,",         "[1,]",     "[,1]",
        "{",          "{1: 2}",  "{\"a\"}",     "{\"a\":}", "{\"a\": 1,}",
        "{\"a\": 1]", "[1}",     "1 2",         "[] []",    "{\"a\" 1}",
        "'a'",        "NaN",
    };
    char deep[200];

    for (size_t k = 0; k < sizeof(right) / sizeof(right[0]); k++) {
        ck_assert_msg(is_json(right[k]), "%s", right[k]);
    }
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_msg(!is_json(wrong[k]), "%s", wrong[k]);
    }
    memset(deep, '[', 64);
    memset(deep + 64, ']', 65);
    deep[128] = '\0';
    ck_assert(is_json(deep));
    memset(deep, '[', 65);
    memset(deep + 65, ']', 65);
    deep[130] = '\0';
    ck_assert(!is_json(deep));
}
END_TEST

START_TEST(values_are_found)
{
    static const char text[] = "{\"b\": [1, -2, 3], \"a\": {\"b\": \"x y\", \"c\\\"\": "
                               "5}, \"n\": 12.5, \"e\": []}";
    hit_json_value all;
    hit_json_value a;
    hit_index number[3] = {0};
    char found[8];

    ck_assert_int_eq(hit_json_check("test", text, &all), HIT_OK);
    ck_assert_int_eq(hit_json_read_list(hit_json_member(all, "b"), 3, number), 3);
    ck_assert(number[0] == 1 && number[1] == -2 && number[2] == 3);
    ck_assert_int_eq(hit_json_read_list(hit_json_member(all, "b"), 2, number), -1);
    ck_assert_int_eq(hit_json_read_list(hit_json_member(all, "e"), 2, number), 0);
    ck_assert_int_eq(hit_json_read_list(hit_json_member(all, "a"), 2, number), -1);
    a = hit_json_member(all, "a");
    ck_assert(hit_json_is(hit_json_member(a, "b"), "x y"));
    ck_assert(!hit_json_is(hit_json_member(a, "b"), "x"));
    ck_assert(hit_json_read_text(hit_json_member(a, "b"), found, 4) &&
              strcmp(found, "x y") == 0);
    ck_assert(!hit_json_read_text(hit_json_member(a, "b"), found, 3));
    ck_assert_ptr_null(hit_json_member(a, "c").text);
    ck_assert(!hit_json_read_whole(hit_json_member(all, "n"), number));
    ck_assert_ptr_null(hit_json_member(hit_json_member(all, "n"), "x").text);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("json_read");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, what_is_json_is_taken);
    tcase_add_test(tests, values_are_found);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
