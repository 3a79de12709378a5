/* SPDX-License-Identifier: MIT
 * Covers of simple patterns: the same as the cover of any pattern, where bounds answer.
 */
#include "patterns/parse.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"
#include "tests/patterns/random_pattern.h"

static const char *const names[] = {"i", "j", "k", "l"};

static hit_pattern_bounds bounds_of(const char *text)
{
    hit_pattern pattern;
    hit_pattern_bounds made;

    ck_assert_int_eq(hit_pattern_parse(text, 2, names, &pattern), HIT_OK);
    made = hit_pattern_bounds_of(&pattern);
    hit_pattern_clear(&pattern);
    return made;
}

START_TEST(patterns_of_neighbours_are_simple)
{
    static const char *const yes[] = {
        "[i, j]",          "[i-1:i+1, j] [i, j-1:j+1]",    "[i, :]",          "[j, i]",
        "[i+2] [i] [i+1]", "[i-1, j-1] [i-1, j] [i, j-1]", "[0, 3:7] [0, 8]", "[:]",
        "[i-j]",           "[j-i-1:j-i] [j-i+1]",          "[4-i, i-j]"};
    static const char *const no[] = {
        "[i-1] [i+1]", "[i] [j]",       "[2*i]",   "[i:j]",       "[i:i+2:2]", "[:i]",
        "[i+j]",       "[0, :] [0, 1]", "[0] [2]", "[i-j] [j-i]", "[i-2*j]",   "[-i-j]"};

    for (size_t n = 0; n < sizeof yes / sizeof *yes; n++) {
        ck_assert_msg(bounds_of(yes[n]).simple, "%s", yes[n]);
    }
    for (size_t n = 0; n < sizeof no / sizeof *no; n++) {
        ck_assert_msg(!bounds_of(no[n]).simple, "%s", no[n]);
    }
}
END_TEST

/* Ranges that follow one index, a difference, or none: most patterns of them are simple.
 */
static hit_pattern likely_simple(hit_random *random, int dims)
{
    const int count = (int)hit_random_index(random, 1, 3);
    int follows[HIT_MAX_DIMS];
    int less[HIT_MAX_DIMS];
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_init(dims, dims, &pattern), HIT_OK);
    for (int t = 0; t < dims; t++) {
        follows[t] = (int)hit_random_index(random, -2, dims - 1);
        less[t] = follows[t] == -2 ? -1 : (int)hit_random_index(random, -2, dims - 1);
    }
    for (int n = 0; n < count; n++) {
        hit_access access = {0};

        for (int t = 0; t < dims; t++) {
            const hit_index from = hit_random_index(random, -2, 1);
            const hit_index to = hit_random_index(random, from, 2);

            access.range[t] = follows[t] == -2   ? hit_range_all()
                              : follows[t] == -1 ? hit_range_fixed(from, to)
                                                 : hit_range_follow(follows[t], from, to);
            if (less[t] < 0 || less[t] == follows[t]) continue;
            access.range[t].begin.coef[less[t]] = -1;
            access.range[t].end.coef[less[t]] = -1;
        }
        ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    }
    return pattern;
}

START_TEST(bounds_give_the_cover_of_the_pattern)
{
    hit_random random = hit_random_start(37);
    int answered = 0;

    for (int n = 0; n < hit_random_cases(10000); n++) {
        const int dims = (int)hit_random_index(&random, 1, 4);
        const hit_index stride = hit_random_index(&random, 0, 3) == 0 ? 3 : 1;
        const hit_domain tile = hit_random_domain(&random, dims, -9, 9, stride);
        const hit_domain index = hit_random_domain(&random, dims, -9, 9, stride);
        hit_pattern pattern = n % 2 == 0 ? likely_simple(&random, dims)
                                         : random_pattern(&random, dims, dims, 3);
        const hit_pattern_bounds bounds = hit_pattern_bounds_of(&pattern);
        const hit_domain expected = hit_pattern_cover(&pattern, &tile, &index);
        hit_domain found;

        if (!hit_domain_is_empty(&index) &&
            hit_pattern_bounds_cover(&bounds, &tile, &index, &found)) {
            ck_assert(hit_domain_equal(&found, &expected));
            answered++;
        }
        hit_pattern_clear(&pattern);
    }
    ck_assert_int_gt(answered, 100);
}
END_TEST

START_TEST(what_lies_too_far_is_left_to_others)
{
    const hit_pattern_bounds bounds = bounds_of("[i, j]");
    const hit_index far = INT64_MAX - 1;
    const hit_domain near = hit_domain_of(4, 4);
    const hit_domain away = hit_box_of(0, 3, far, far);
    hit_domain found;

    ck_assert(hit_pattern_bounds_cover(&bounds, &near, &near, &found));
    ck_assert(!hit_pattern_bounds_cover(&bounds, &near, &away, &found));
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("bounds");
    TCase *bounds = tcase_create("bounds");

    tcase_add_test(bounds, patterns_of_neighbours_are_simple);
    tcase_add_test(bounds, bounds_give_the_cover_of_the_pattern);
    tcase_add_test(bounds, what_lies_too_far_is_left_to_others);
    suite_add_tcase(all, bounds);
    return all;
}

int main(void)
{
    return check_run(suite());
}
