/* SPDX-License-Identifier: MIT
 * Values in patterns: a name is read as its number, and kernels say which they name. */
#include "hit/base/text.h"
#include "patterns/parse.h"
#include "tests/patterns/random_pattern.h"

static const char *const names[] = {"i", "j", "row", "k2"};

static const hit_index numbers[] = {0, 3, -2, HIT_PATTERN_MAX};
static const hit_pattern_value values[] = {{"n", 0},
                                           {"s", 3},
                                           {"down", -2},
                                           {"most", HIT_PATTERN_MAX},
                                           {"huge", -2 * HIT_PATTERN_MAX}};
static const hit_pattern_names with_values = {
    .dims = HIT_MAX_DIMS, .index = names, .values = 5, .value = values};

START_TEST(a_value_stands_for_its_number)
{
    static const char *const cases[][2] = {
        {"[s]", "[3]"},
        {"[i+s, j-down]", "[i+3, j+2]"},
        {"[s*i-s*s:i*s+2*down:s]", "[3*i-9:3*i-4:3]"},
        {"[n*i+most]", "[1152921504606846976]"},
        {"[-s*down*j]", "[6*j]"},
        {"[0:n-1]", "[0:-1]"},
        {"[i:i-s, :s]", "[i:i-3, :3]"},
    };

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char printed[200];
        hit_pattern pattern;

        ck_assert_int_eq(hit_pattern_parse_with(cases[n][0], &with_values, &pattern),
                         HIT_OK);
        hit_pattern_print(&pattern, names, printed, sizeof printed);
        ck_assert_str_eq(printed, cases[n][1]);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(a_value_that_cannot_be_there_is_told)
{
    static const char *const wrong[][2] = {
        {"[i, x]",
         "unknown index 'x'; the indices are i, j, row, k2; whole values are n, "
         "s, down, most, huge\n  [i, x]\n      ^"},
        {"[i::n]", "expected a stride >= 1, found 0\n  [i::n]\n      ^"},
        {"[:: down*s]", "expected a stride >= 1, found -6\n  [:: down*s]\n      ^"},
        {"[2*most]", "expected a product up to 2^60, found a larger one\n"
                     "  [2*most]\n     ^"},
        {"[i+huge]", "expected a number up to 2^60, found -2305843009213693952\n"
                     "  [i+huge]\n     ^"},
        {"[i/huge]", "expected a number up to 2^60, found -2305843009213693952\n"
                     "  [i/huge]\n     ^"},
        {"[most+s]", "expected a sum up to 2^60, found a larger one\n"
                     "  [most+s]\n        ^"},
        {"[s 2]", "expected ',' or ']', found '2'\n  [s 2]\n     ^"},
    };
    hit_pattern pattern = {.count = 42};

    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        ck_assert_int_eq(hit_pattern_parse_with(wrong[n][0], &with_values, &pattern),
                         HIT_E_PATTERN);
        ck_assert_str_eq(hit_status_text(), wrong[n][1]);
        ck_assert_int_eq(pattern.count, 42);
    }
}
END_TEST

/* A sum of a few terms: with names, and with their numbers. */
static void random_sum(hit_random *random, char *named, char *plain, size_t size)
{
    const hit_index terms = hit_random_index(random, 1, 3);

    for (hit_index k = 0; k < terms; k++) {
        const hit_index v = hit_random_index(random, 0, 2);
        const hit_index factor = hit_random_index(random, 0, 4);
        const char *index = names[hit_random_index(random, 0, HIT_MAX_DIMS - 1)];
        const bool minus = hit_random_index(random, 0, 1) == 0;
        const hit_index number = (minus ? -1 : 1) * factor * numbers[v];
        const bool follows = hit_random_index(random, 0, 2) > 0;

        hit_text_add(named, size, "%s%lld*%s%s%s",
                     minus   ? "-"
                     : k > 0 ? "+"
                             : "",
                     (long long)factor, values[v].name, follows ? "*" : "",
                     follows ? index : "");
        hit_text_add(plain, size, "%s%lld%s%s", number >= 0 && k > 0 ? "+" : "",
                     (long long)number, follows ? "*" : "", follows ? index : "");
    }
}

START_TEST(names_and_numbers_are_read_alike)
{
    hit_random random = hit_random_start(36);

    for (int n = 0; n < 20000; n++) {
        char named[200] = "[";
        char plain[200] = "[";
        hit_pattern one;
        hit_pattern other;

        random_sum(&random, named, plain, sizeof named);
        hit_text_add(named, sizeof named, ":, ");
        hit_text_add(plain, sizeof plain, ":, ");
        random_sum(&random, named, plain, sizeof named);
        hit_text_add(named, sizeof named, "] [:, ::s]");
        hit_text_add(plain, sizeof plain, "] [:, ::3]");
        ck_assert_msg(hit_pattern_parse_with(named, &with_values, &one) == HIT_OK, "%s",
                      hit_status_text());
        ck_assert_int_eq(hit_pattern_parse(plain, HIT_MAX_DIMS, names, &other), HIT_OK);
        ck_assert_msg(pattern_equal(&one, &other), "%s is not %s", named, plain);
        hit_pattern_clear(&one);
        hit_pattern_clear(&other);
    }
}
END_TEST

/* A sum of a few terms, some of which are divided. */
static void random_folded(hit_random *random, char *text, size_t size)
{
    static const char *const term[] = {
        "i",         "s*j",       "i/d",   "j%d",    "(i+s)/d", "(s*i)%d",
        "(i-j)/1",   "s",         "3",     "s/d",    "(s+4)%d", "7/2",
        "(s*i-j)/2", "(j-2*s)%3", "s*i/d", "(-i)/d", "(-s)/2",  "i%1"};
    const hit_index terms = hit_random_index(random, 1, 3);

    for (hit_index k = 0; k < terms; k++) {
        const bool minus = hit_random_index(random, 0, 3) == 0;

        hit_text_add(text, size, "%s%s",
                     minus   ? "-"
                     : k > 0 ? "+"
                             : "",
                     term[hit_random_index(random, 0, 17)]);
    }
}

START_TEST(what_is_valid_for_one_number_is_for_all)
{
    hit_random random = hit_random_start(362);
    int valid = 0;

    for (int n = 0; n < hit_random_cases(20000); n++) {
        char text[200] = "[";
        hit_status found[4];

        random_folded(&random, text, sizeof text);
        hit_text_add(text, sizeof text, "]");
        for (int k = 0; k < 4; k++) {
            const hit_pattern_value value[] = {{"d", 1 + k % 2}, {"s", k / 2}};
            const hit_pattern_names with = {
                .dims = HIT_MAX_DIMS, .index = names, .values = 2, .value = value};
            hit_pattern pattern = {0};

            found[k] = hit_pattern_parse_with(text, &with, &pattern);
            ck_assert_msg(found[k] == found[0], "%s with d = %d, s = %d: %s", text,
                          1 + k % 2, k / 2, hit_status_text());
            hit_pattern_clear(&pattern);
        }
        valid += found[0] == HIT_OK;
    }
    ck_assert_int_gt(valid, hit_random_cases(20000) / 10);
    ck_assert_int_lt(valid, 9 * hit_random_cases(20000) / 10);
}
END_TEST

START_TEST(a_kernel_says_which_values_its_patterns_name)
{
    const hit_kernel_arg arg[] = {{HIT_MODE_IN, HIT_INT64, "a", "[i+s1, n2:2*n]"},
                                  {HIT_MODE_VALUE, HIT_INT64, "s", NULL},
                                  {HIT_MODE_OUT, HIT_INT64, "b", "[s*i]"},
                                  {HIT_MODE_VALUE, HIT_INT64, "n", NULL},
                                  {HIT_MODE_VALUE, HIT_DOUBLE, "i", NULL}};
    const hit_kernel kernel = {.dims = 2, .index = {"i", "n2"}, .args = 5, .arg = arg};

    ck_assert_uint_eq(hit_kernel_names(&kernel, 0), 1u << 3);
    ck_assert_uint_eq(hit_kernel_names(&kernel, 1), 0);
    ck_assert_uint_eq(hit_kernel_names(&kernel, 2), 1u << 1);
    ck_assert_uint_eq(hit_kernel_names(&kernel, -1), 1u << 3 | 1u << 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("values");
    TCase *values_of = tcase_create("values");

    tcase_add_test(values_of, a_value_stands_for_its_number);
    tcase_add_test(values_of, a_value_that_cannot_be_there_is_told);
    tcase_add_test(values_of, names_and_numbers_are_read_alike);
    tcase_add_test(values_of, what_is_valid_for_one_number_is_for_all);
    tcase_add_test(values_of, a_kernel_says_which_values_its_patterns_name);
    suite_add_tcase(all, values_of);
    return all;
}

int main(void)
{
    return check_run(suite());
}
