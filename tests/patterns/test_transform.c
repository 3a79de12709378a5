/* SPDX-License-Identifier: MIT
 * The domain transformation of patterns that people write, and of those that break loops:
 * the expected domains are worked out by hand. Random patterns are in
 * test_transform_random.c. */
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/patterns/random_pattern.h"

static const char *const names[] = {"i", "j", "k", "l"};

static hit_pattern parsed(const char *text, int dims)
{
    hit_pattern pattern;
    hit_status st = hit_pattern_parse(text, dims, names, &pattern);

    ck_assert_msg(st == HIT_OK, "%s", hit_status_text());
    return pattern;
}

START_TEST(common_patterns_cover_what_one_expects)
{
    const struct {
        const char *text;
        const char *cover;
    } cases[] = {
        {"[i, j]", "2:5 x 3:9:2"},
        {"[i-1:i+1, j] [i, j-1:j+1]", "1:6 x 2:10"},
        {"[i, :]", "2:5 x 0:99"},
        {"[:, j]", "0:99 x 3:9:2"},
        {"[2*i:2*i+1, 2*j]", "4:11 x 6:18:4"},
        {"[0:i-3, 0]", "0:2 x 0:0"},
        {"[j:, :i:3]", "3:99 x 0:3:3"},
        {"[10-i, i+j]", "5:8 x 5:14"},
        {"[4*i:4*i+3:2, 7]", "8:22:2 x 7:7"},
        {"[i:i+1:2, 4*j-2*i]", "2:5 x 2:32:2"},
    };
    hit_domain tile = hit_domain_of(100, 100);
    hit_domain index = {.dims = 2, .sig = {{2, 5, 1}, {3, 9, 2}}};
    char text[128];

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hit_pattern pattern = parsed(cases[n].text, 2);
        hit_domain cover = hit_pattern_cover(&pattern, &tile, &index);
        hit_domain_print(&cover, text, sizeof text);
        ck_assert_str_eq(text, cases[n].cover);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(empty_expressions_of_several_indices_do_not_count)
{
    const struct {
        const char *text;
        hit_domain index;
        const char *cover;
    } cases[] = {
        {"[i:j, j:k, k:l]", hit_domain_of(10, 10, 10, 3), "0:2 x 0:2 x 0:2"},
        {"[i-j:0:3, 0, 0]", hit_domain_of(2, 2, 1, 1), "-1:0 x 0:0 x 0:0"},
        {"[i:j:2, j:i-1:2, 0]", hit_domain_of(6, 6, 1, 1), "0:-1 x 0:-1 x 0:-1"},
        {"[i:j-1, j:i, 0]", hit_domain_of(2, 2, 1, 1), "0:-1 x 0:-1 x 0:-1"},
    };
    hit_domain tile = hit_domain_of(100, 100, 100);
    char text[128];

    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        hit_pattern pattern = parsed(cases[n].text, 4);
        hit_domain cover = hit_pattern_cover(&pattern, &tile, &cases[n].index);
        hit_domain_print(&cover, text, sizeof text);
        ck_assert_str_eq(text, cases[n].cover);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(what_lies_too_far_is_cut_off)
{
    hit_domain tile = hit_domain_of(10);
    hit_domain index = hit_domain_grow(tile, 100);
    hit_index far = (hit_index)1 << 61;
    hit_pattern pattern = parsed("[1152921504606846976*i+5]", 1);
    hit_domain cover = hit_pattern_cover(&pattern, &tile, &index);

    ck_assert_int_eq(cover.sig[0].begin, -far + 5);
    ck_assert_int_eq(cover.sig[0].end, far / 2 + 5);
    ck_assert_int_eq(cover.sig[0].stride, far / 2);

    index.sig[0] = hit_sig_make(0, 32, 16); /* a distance of 2^64 */
    cover = hit_pattern_cover(&pattern, &tile, &index);
    ck_assert(hit_sig_equal(cover.sig[0], hit_sig_make(5, 5, 1)));
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(common_covers_are_known_to_be_exact)
{
    static const char *const yes[] = {
        "[i, j]",
        "[j, i]",
        "[i-1:i+1, j-2:j+2]",
        "[i, :]",
        "[:, j]",
        "[:, :]",
        "[0:3, j]",
        "[2*i, j]",
        "[2*i:2*i+1, 3*j:3*j+2]",
        "[7, 9]",
        "[0:i, j]",
        "[0:i-1, j]",
        "[i:, :j]",
        "[2*i, j] [2*i+1, j]",
        "[i-1, j] [i, j] [i+1, j]",
        "[-i, 5-j]",
        "[i:i+4:2, j]",
        "[4*i:4*i+3:2, j]",
        "[10*i+j, 0]",
        "[::2, j]",
    };
    static const char *const no[] = {
        "[i-1:i+1, j] [i, j-1:j+1]",
        "[i, i]",
        "[i, 0:i]",
        "[3*i:3*i+1, j]",
        "[11*i+j, 0]",
        "[i, j] [i+20, j]",
        "[i:j, 0]",
        "[2*i:3*i, j]",
    };
    hit_domain tile = hit_domain_of(100, 100);
    hit_domain index = hit_domain_of(10, 10);

    for (size_t n = 0; n < sizeof yes / sizeof *yes; n++) {
        hit_pattern pattern = parsed(yes[n], 2);
        ck_assert_msg(hit_pattern_is_exact(&pattern, &tile, &index), "%s", yes[n]);
        hit_pattern_clear(&pattern);
    }
    for (size_t n = 0; n < sizeof no / sizeof *no; n++) {
        hit_pattern pattern = parsed(no[n], 2);
        ck_assert_msg(!hit_pattern_is_exact(&pattern, &tile, &index), "%s", no[n]);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(a_star_sends_no_corners)
{
    hit_domain tile = hit_domain_of(100, 100);
    hit_domain index = hit_domain_of(10, 20);
    hit_pattern star = parsed("[i-2:i+2, j] [i, j-2:j+2]", 2);
    hit_region region = {0};

    ck_assert_int_eq(hit_pattern_region(&star, &tile, &index, &region), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 10 * 20 + 2 * 2 * (10 + 20));
    ck_assert(!hit_region_has(&region, (hit_index[]){-1, -1}));
    ck_assert(hit_region_has(&region, (hit_index[]){-2, 0}));
    hit_region_clear(&region);
    hit_pattern_clear(&star);
}
END_TEST

START_TEST(no_index_touches_nothing)
{
    hit_domain tile = hit_domain_of(10, 10);
    hit_domain none = hit_domain_empty(2);
    hit_pattern pattern = parsed("[:, :] [0, 1]", 2);
    hit_domain cover = hit_pattern_cover(&pattern, &tile, &none);
    hit_region region = {0};

    ck_assert(hit_domain_is_empty(&cover));
    ck_assert(hit_pattern_is_exact(&pattern, &tile, &none));
    ck_assert_int_eq(hit_pattern_region(&pattern, &tile, &none, &region), HIT_OK);
    ck_assert_int_eq(region.count, 0);
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(a_scalar_is_one_element_for_any_indices)
{
    hit_domain scalar = hit_domain_scalar();
    hit_domain index = hit_domain_of(10, 10);
    hit_domain none = hit_domain_empty(2);
    hit_pattern pattern = parsed("[]", 2);
    hit_region region = {0};

    ck_assert_int_eq(hit_pattern_region(&pattern, &scalar, &index, &region), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 1);
    ck_assert(hit_pattern_is_exact(&pattern, &scalar, &index));
    hit_region_clear(&region);
    ck_assert_int_eq(hit_pattern_region(&pattern, &scalar, &none, &region), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 0);
    ck_assert(!hit_pattern_is_exact(&pattern, &scalar, &none));
    hit_pattern_clear(&pattern);
}
END_TEST

START_TEST(the_largest_numbers_do_not_overflow)
{
    hit_random random = hit_random_start(36);

    for (int n = 0; n < 20000; n++) {
        hit_pattern pattern = random_pattern(&random, 4, 4, HIT_PATTERN_MAX);
        hit_domain tile = hit_random_domain(&random, 4, INT64_MIN, INT64_MAX, INT64_MAX);
        hit_domain index =
            hit_random_domain(&random, 4, INT64_MIN / 2, INT64_MAX / 2, INT64_MAX);
        for (int a = 0; a < pattern.count; a++) {
            hit_domain cover = hit_access_apply(&pattern.access[a], &tile, &index);
            ck_assert_int_eq(hit_domain_check(&cover), HIT_OK);
        }
        (void)hit_pattern_is_exact(&pattern, &tile, &index);
        hit_pattern_clear(&pattern);
    }
}
END_TEST

START_TEST(a_billion_indices_cost_what_ten_do)
{
    hit_index n = (hit_index)1 << 40;
    hit_domain tile = hit_domain_of(n, n);
    hit_pattern pattern = parsed("[i:j, j:i] [i:j-1, j:i] [2*i:3*j, 3*j:2*i]", 2);

    for (int repeat = 0; repeat < 1000; repeat++) {
        hit_domain cover = hit_pattern_cover(&pattern, &tile, &tile);
        ck_assert(!hit_domain_is_empty(&cover));
        ck_assert(!hit_pattern_is_exact(&pattern, &tile, &tile));
    }
    hit_pattern_clear(&pattern);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("transform");
    TCase *transform = tcase_create("transform");

    tcase_add_test(transform, common_patterns_cover_what_one_expects);
    tcase_add_test(transform, empty_expressions_of_several_indices_do_not_count);
    tcase_add_test(transform, what_lies_too_far_is_cut_off);
    tcase_add_test(transform, common_covers_are_known_to_be_exact);
    tcase_add_test(transform, a_star_sends_no_corners);
    tcase_add_test(transform, no_index_touches_nothing);
    tcase_add_test(transform, a_scalar_is_one_element_for_any_indices);
    tcase_add_test(transform, the_largest_numbers_do_not_overflow);
    tcase_add_test(transform, a_billion_indices_cost_what_ten_do);
    suite_add_tcase(all, transform);
    return all;
}

int main(void)
{
    return check_run(suite());
}
