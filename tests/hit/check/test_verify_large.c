/* SPDX-License-Identifier: MIT
 * HIT_CHECK of launches that are too large to look at every index. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/hit.h"
#include "tests/support/check_main.h"

extern const hit_kernel large_rare, large_wide, large_stray, large_wrong;

static hit_context *base;

enum {
    SIZE = 300000, /* the first launch has a large sample, the second a smaller one */
    LAUNCHES = 2
};

static hit_status launch_large(const char *check, const hit_kernel *kernel)
{
    const hit_domain all = hit_domain_of(SIZE);
    const hit_options options = {.devices = "host"};
    const int64_t three = 3;
    hit_context *hit;
    hit_layout *layout;
    hit_tile *a;
    hit_tile *b;
    hit_status status = HIT_OK;

    setenv("HIT_CHECK", check, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    HIT_MUST(hit_layout_create(hit, all, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "b", &b));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_fill(a, &three));
    for (int k = 0; k < LAUNCHES && status == HIT_OK; k++) {
        status = hit_launch(hit, kernel, hit_domain_grow(all, -1), b, a);
    }
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_close(&hit);
    return status;
}

START_TEST(a_sample_finds_what_many_indices_do)
{
    ck_assert_int_eq(launch_large("1", &large_wrong), HIT_E_CHECK);
    ck_assert_int_eq(launch_large("loose", &large_wrong), HIT_E_CHECK);
}
END_TEST

START_TEST(a_sample_blames_no_pattern_that_it_did_not_see_used)
{
    ck_assert_int_eq(launch_large("1", &large_rare), HIT_OK);
    ck_assert_int_eq(launch_large("whole", &large_rare), HIT_OK);
}
END_TEST

START_TEST(a_pattern_that_is_too_wide_is_told_in_a_large_launch)
{
    ck_assert_int_eq(launch_large("1", &large_wide), HIT_E_CHECK);
    ck_assert_int_eq(launch_large("loose", &large_wide), HIT_OK);
}
END_TEST

START_TEST(what_one_index_of_many_does_is_found_by_looking_at_all)
{
    ck_assert_int_eq(launch_large("whole", &large_stray), HIT_E_CHECK);
    ck_assert_int_eq(launch_large("all", &large_stray), HIT_E_CHECK);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("large verified launches");
    TCase *launches = tcase_create("launches");

    tcase_set_timeout(launches, 0);
    tcase_add_test(launches, a_sample_finds_what_many_indices_do);
    tcase_add_test(launches, a_sample_blames_no_pattern_that_it_did_not_see_used);
    tcase_add_test(launches, a_pattern_that_is_too_wide_is_told_in_a_large_launch);
    tcase_add_test(launches, what_one_index_of_many_does_is_found_by_looking_at_all);
    suite_add_tcase(suite, launches);
    return suite;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
