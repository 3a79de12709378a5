/* SPDX-License-Identifier: MIT
 * Patterns as values: what may be added, what the questions about them answer, and how
 * they print. */
#include "patterns/pattern.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"i", "j", "k", "l"};

static void assert_prints(const hit_pattern *pattern, const char *expected)
{
    char text[256];

    hit_pattern_print(pattern, names, text, sizeof text);
    ck_assert_str_eq(text, expected);
}

/* In two dimensions; clear it after use. */
static hit_pattern star(hit_index radius)
{
    const hit_access down = {
        .range = {hit_range_follow(0, -radius, radius), hit_range_follow(1, 0, 0)}};
    const hit_access across = {
        .range = {hit_range_follow(0, 0, 0), hit_range_follow(1, -radius, radius)}};
    hit_pattern made;

    ck_assert_int_eq(hit_pattern_init(2, 2, &made), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&made, &down), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&made, &across), HIT_OK);
    return made;
}

/* A pattern of one range over a launch of two dimensions; clear it after use. */
static hit_pattern one_range(hit_range range)
{
    hit_pattern pattern;
    hit_access access = {.range = {range}};

    ck_assert_int_eq(hit_pattern_init(2, 1, &pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    return pattern;
}

START_TEST(init_refuses_dimensions_out_of_range)
{
    static const int wrong[][2] = {
        {-1, 1}, {HIT_MAX_DIMS + 1, 1}, {1, -1}, {1, HIT_MAX_DIMS + 1}};
    hit_pattern pattern;

    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        ck_assert_int_eq(hit_pattern_init(wrong[n][0], wrong[n][1], &pattern), HIT_E_ARG);
    }
    ck_assert_int_eq(hit_pattern_init(0, 0, &pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_init(HIT_MAX_DIMS, 0, &pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_init(1, HIT_MAX_DIMS, &pattern), HIT_OK);
}
END_TEST

START_TEST(add_refuses_what_is_no_range)
{
    hit_index beyond = HIT_PATTERN_MAX + 1;
    const struct {
        hit_range range;
        const char *text;
    } wrong[] = {
        {{.stride = 0}, "expected a stride of 1 to 2^60, found 0"},
        {{.stride = -2}, "expected a stride of 1 to 2^60, found -2"},
        {{.stride = beyond}, "expected a stride of 1 to 2^60"},
        {{.begin = {.offset = beyond}, .end = {.offset = beyond}, .stride = 1},
         "an offset"},
        {{.begin = {.coef = {INT64_MIN}}, .stride = 1}, "a coefficient"},
        {{.end = {.coef = {0, 0, 1}}, .stride = 1},
         "expected indices 0 to 1 of the launch"},
    };
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_init(2, 1, &pattern), HIT_OK);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        hit_access access = {.range = {wrong[n].range}};
        ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_E_PATTERN);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), wrong[n].text));
        ck_assert_int_eq(pattern.count, 0);
    }
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(an_end_that_is_not_always_before_its_begin_is_legal)
{
    hit_range triangle = {.end = {.coef = {1}, .offset = -1}, .stride = 1};
    hit_range tail = {.begin = {.offset = 5}, .end = {.infinite = true}, .stride = 1};
    hit_pattern first = one_range(triangle);
    hit_pattern second = one_range(tail);

    assert_prints(&first, "[0:i-1]");
    assert_prints(&second, "[5:]");
    ck_assert(!hit_range_is_void(&triangle));
    ck_assert(!hit_range_is_void(&tail));
    hit_pattern_clear(&first);
    hit_pattern_clear(&second);
}
END_TEST

START_TEST(all_expressions_that_are_added_are_kept)
{
    const hit_index many = 1000;
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_init(1, 1, &pattern), HIT_OK);
    for (hit_index n = 0; n < many; n++) {
        hit_access access = {.range = {hit_range_fixed(n, 2 * n)}};
        ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    }
    ck_assert_int_eq(pattern.count, many);
    for (hit_index n = 0; n < many; n++) {
        ck_assert_int_eq(pattern.access[n].range[0].end.offset, 2 * n);
    }
    hit_pattern_clear(&pattern);
    hit_pattern_clear(&pattern); /* once more is harmless */
}
END_TEST

START_TEST(infinite_sides_lose_their_numbers)
{
    hit_range range = hit_range_follow(0, -1, 1);
    range.begin.infinite = true;
    range.begin.coef[3] = INT64_MIN; /* of no meaning, so no mistake either */
    hit_pattern pattern = one_range(range);

    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        ck_assert_int_eq(pattern.access[0].range[0].begin.coef[k], 0);
    }
    ck_assert_int_eq(pattern.access[0].range[0].begin.offset, 0);
    assert_prints(&pattern, "[:i+1]");
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(a_point_is_what_its_name_says)
{
    hit_pattern pattern = {.count = 42};

    ck_assert_int_eq(hit_pattern_point(-1, &pattern), HIT_E_ARG);
    ck_assert_int_eq(hit_pattern_point(HIT_MAX_DIMS + 1, &pattern), HIT_E_ARG);
    ck_assert_int_eq(pattern.count, 42);
    ck_assert_int_eq(hit_pattern_point(3, &pattern), HIT_OK);
    assert_prints(&pattern, "[i, j, k]");
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(regular_is_fixed_or_follows_one_index_with_coefficient_1)
{
    hit_range affine = hit_range_follow(0, 0, 0);
    hit_range yes[] = {hit_range_all(),
                       hit_range_fixed(-3, 7),
                       hit_range_follow(1, -4, 9),
                       {.begin = {.infinite = true}, .end = {.offset = 3}, .stride = 2}};
    hit_range no[] = {affine, affine, affine, affine, affine};
    const char *why_not[] = {"coefficient that is not 1",
                             "different indices or coefficients", "more than one index",
                             "the tile's limit", "coefficient that is not 1"};
    char why[128];

    no[0].begin.coef[0] = no[0].end.coef[0] = 2;
    no[1].end.coef[0] = 0, no[1].end.coef[1] = 1;
    no[2].begin.coef[1] = no[2].end.coef[1] = 1;
    no[3].end = (hit_affine){.infinite = true};
    no[4].begin.coef[0] = no[4].end.coef[0] = -1;
    for (size_t n = 0; n < sizeof yes / sizeof *yes; n++) {
        hit_pattern pattern = one_range(yes[n]);
        ck_assert(hit_pattern_is_regular(&pattern, why, sizeof why));
        hit_pattern_clear(&pattern);
    }
    for (size_t n = 0; n < sizeof no / sizeof *no; n++) {
        hit_pattern pattern = one_range(no[n]);
        ck_assert(!hit_pattern_is_regular(&pattern, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, why_not[n]));
        ck_assert(!hit_pattern_is_regular(&pattern, NULL, 0));
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(the_reason_names_expression_and_dimension)
{
    hit_pattern pattern;
    hit_access access = {.range = {hit_range_all(), hit_range_follow(0, 0, 0)}};
    char why[64];

    pattern = star(1);
    access.range[1].end.coef[0] = 2;
    ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    ck_assert(!hit_pattern_is_regular(&pattern, why, sizeof why));
    ck_assert_ptr_eq(strstr(why, "expression 2, dimension 1: "), why);
    memset(why, '#', sizeof why);
    ck_assert(!hit_pattern_is_regular(&pattern, why, 11));
    ck_assert_str_eq(why, "expression");
    ck_assert_int_eq(why[11], '#');
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(an_index_in_no_expression_is_not_used)
{
    hit_pattern pattern;
    hit_access row = {.range = {hit_range_follow(0, 0, 0), hit_range_all()}};
    hit_access last = {.range = {hit_range_all(), hit_range_fixed(0, 0)}};

    last.range[1].end.coef[2] = -3;
    ck_assert_int_eq(hit_pattern_init(3, 2, &pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&pattern, &row), HIT_OK);
    ck_assert(hit_pattern_uses(&pattern, 0));
    ck_assert(!hit_pattern_uses(&pattern, 1));
    ck_assert(!hit_pattern_uses(&pattern, 2));
    ck_assert_int_eq(hit_pattern_add(&pattern, &last), HIT_OK);
    ck_assert(!hit_pattern_uses(&pattern, 1));
    ck_assert(hit_pattern_uses(&pattern, 2));
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(print_writes_each_form_in_its_shortest_way)
{
    hit_affine mixed = {.coef = {-1, 2}, .offset = -3};
    hit_affine minus = {.coef = {0, -HIT_PATTERN_MAX}, .offset = 4};
    const struct {
        hit_range range;
        const char *text;
    } cases[] = {
        {hit_range_all(), "[:]"},
        {hit_range_fixed(0, 0), "[0]"},
        {hit_range_fixed(-7, -7), "[-7]"},
        {hit_range_follow(1, -2, 0), "[j-2:j]"},
        {{.begin = mixed, .end = mixed, .stride = 1}, "[-i+2*j-3]"},
        {{.begin = mixed, .end = mixed, .stride = 5}, "[-i+2*j-3:-i+2*j-3:5]"},
        {{.begin = minus, .end = {.infinite = true}, .stride = 1},
         "[-1152921504606846976*j+4:]"},
        {{.begin = {.infinite = true}, .end = {.infinite = true}, .stride = 3}, "[::3]"},
    };

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hit_pattern pattern = one_range(cases[n].range);
        assert_prints(&pattern, cases[n].text);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(print_never_writes_beyond_its_size)
{
    static const char full[] = "[i-2:i+2, j] [i, j-2:j+2]";
    hit_pattern pattern;
    char text[sizeof full + 2];
    char expected[sizeof text];

    pattern = star(2);
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        memset(expected, '#', sizeof expected);
        hit_pattern_print(&pattern, names, text, size);
        (void)snprintf(expected, size, "%s", full);
        ck_assert_mem_eq(text, expected, sizeof text);
    }
    hit_pattern_clear(&pattern);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("pattern");
    TCase *pattern = tcase_create("pattern");

    tcase_add_test(pattern, init_refuses_dimensions_out_of_range);
    tcase_add_test(pattern, add_refuses_what_is_no_range);
    tcase_add_test(pattern, an_end_that_is_not_always_before_its_begin_is_legal);
    tcase_add_test(pattern, all_expressions_that_are_added_are_kept);
    tcase_add_test(pattern, infinite_sides_lose_their_numbers);
    tcase_add_test(pattern, a_point_is_what_its_name_says);
    tcase_add_test(pattern, regular_is_fixed_or_follows_one_index_with_coefficient_1);
    tcase_add_test(pattern, the_reason_names_expression_and_dimension);
    tcase_add_test(pattern, an_index_in_no_expression_is_not_used);
    tcase_add_test(pattern, print_writes_each_form_in_its_shortest_way);
    tcase_add_test(pattern, print_never_writes_beyond_its_size);
    suite_add_tcase(all, pattern);
    return all;
}

int main(void)
{
    return check_run(suite());
}
