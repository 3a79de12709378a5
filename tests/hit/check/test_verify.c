/* SPDX-License-Identifier: MIT
 * HIT_CHECK and HIT_COMPARE beside the bank: what they refuse, what they keep quiet
 * about, and what happens to the launches around. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/base/context.h"
#include "hit/kernel.h"
#include "hit/launch/launcher.h"
#include "tests/hit/check/bank.h"
#include "tests/support/check_main.h"
#include "tests/support/fill_numbers.h"
#include "tests/support/test_kernels.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

extern const hit_kernel right_left, right_scalar, wrong_wide, wrong_left;
extern const hit_kernel plain_right, plain_wrong, plain_pairs, plain_pairs_box, plain_put,
    plain_some; /* plain.k.c */

static hit_context *base;

/* b = the distance from the begin of the box: whoever cuts the launch changes it */
HIT_BOX_KERNEL(from_begin, (i), (out, int64_t, b, "[i]"))
{
    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        *(int64_t *)hit_run_address(run, 0, 1, &i, sizeof(int64_t)) = i - run->begin[0];
    }
    return HIT_OK;
}

/* b = 1 and a little more, by @p more, in a box of the whole launch: one thread, which
 * runs slices, finds 1 */
static hit_status round_by(const hit_run *run, float more)
{
    const bool slice = run->end[0] - run->begin[0] < 20;

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        *(float *)hit_run_address(run, 0, 1, &i, sizeof(float)) = slice ? 1 : 1 + more;
    }
    return HIT_OK;
}

static hit_status round_little(const hit_run *run)
{
    return round_by(run, FLT_EPSILON);
}

static hit_status round_much(const hit_run *run)
{
    return round_by(run, 0.0001F);
}

static const hit_kernel_arg rounds_args[] = {
    {HIT_MODE_OUT, {HIT_KIND_FLOAT, 4}, "b", "[i]"}};
#define ROUNDS(host_, strict_)                                                           \
    {                                                                                    \
        .name = "rounds", .dims = 1, .index = {"i"}, .args = 1, .arg = rounds_args,      \
        .host = (host_), .strict = (strict_)                                             \
    }
static const hit_kernel rounds[] = {ROUNDS(round_little, 0), ROUNDS(round_little, 1),
                                    ROUNDS(round_much, 0), ROUNDS(round_much, 1)};

static const hit_kernel_arg alone_args[] = {
    {HIT_MODE_OUT, {HIT_KIND_INT64, 8}, "b", "[i]"}};
static const hit_kernel alone = {
    .name = "alone", .dims = 1, .index = {"i"}, .args = 1, .arg = alone_args};

typedef struct scene {
    hit_context *hit;
    hit_tile *a;
    hit_tile *b;
    hit_tile *total;
} scene;

static hit_tile *make_tile(hit_context *hit, hit_domain domain, hit_type type,
                           const char *name)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, type, name, &tile));
    hit_layout_destroy(&layout);
    return tile;
}

static scene open_scene(const char *check, const char *compare, const char *devices)
{
    const hit_options options = {.devices = devices};
    const int64_t three = 3;
    scene s;

    setenv("HIT_CHECK", check, 1);
    setenv("HIT_COMPARE", compare, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &options, &s.hit));
    s.a = make_tile(s.hit, hit_domain_of(40), HIT_INT64, "a");
    s.b = make_tile(s.hit, hit_domain_of(40), HIT_INT64, "b");
    s.total = make_tile(s.hit, hit_domain_scalar(), HIT_INT64, "total");
    HIT_MUST(hit_tile_fill(s.a, &three));
    return s;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->a);
    hit_tile_destroy(&s->b);
    hit_tile_destroy(&s->total);
    hit_close(&s->hit);
}

static const hit_domain inner = {1, {{2, 37, 1}}};

START_TEST(a_difference_is_told_with_both_values)
{
    scene s = open_scene("0", "1", "host:staged:memory=64");
    const hit_status status = hit_launch(s.hit, &from_begin, hit_domain_of(40), s.b);
    char text[1200];

    snprintf(text, sizeof(text), "%s", hit_status_text());
    close_scene(&s);
    ck_assert_int_eq(status, HIT_E_CHECK);
    ck_assert_msg(strstr(text, "kernel from_begin, argument b, tile b: element (") !=
                      NULL,
                  "%s", text);
    ck_assert_msg(strstr(text, " is 0 after the launch, but ") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "on one thread (and ") != NULL, "%s", text);
}
END_TEST

START_TEST(what_is_not_strict_may_differ_by_rounding_only)
{
    static const hit_status expected[] = {HIT_OK, HIT_E_CHECK, HIT_E_CHECK, HIT_E_CHECK};
    scene s = open_scene("0", "1", "host:threads=1");
    const hit_domain domain = hit_domain_of(640);
    hit_tile *b = make_tile(s.hit, domain, HIT_FLOAT, "b");
    hit_status status[4];

    for (int k = 0; k < 4; k++) {
        status[k] = hit_launch(s.hit, &rounds[k], domain, b);
    }
    hit_tile_destroy(&b);
    close_scene(&s);
    for (int k = 0; k < 4; k++) {
        ck_assert_msg(status[k] == expected[k], "%d: %d", k, status[k]);
    }
}
END_TEST

START_TEST(kernel_files_say_whether_they_are_strict)
{
    ck_assert_int_eq(test_sum2.strict, 1); /* hit_add_kernels(... STRICT ...) */
    ck_assert_int_eq(right_left.strict, HIT_TEST_STRICT);
    ck_assert_int_eq(plain_right.strict, 0); /* not by hit_add_kernels() */
}
END_TEST

START_TEST(a_checked_launch_does_what_it_did)
{
    scene s = open_scene("1", "1", "host:staged:memory=256");
    hit_status status[4];
    int64_t total = 0;
    int64_t element = -1;

    status[0] = hit_launch(s.hit, &right_left, inner, s.b, s.a);
    status[1] = hit_launch(s.hit, &wrong_left, inner, s.b, s.a); /* and after a report */
    status[2] = hit_launch(s.hit, &right_scalar, hit_domain_of(40), s.total, s.a);
    HIT_MUST(hit_tile_get(s.total, NULL, &total));
    HIT_MUST(hit_tile_get(s.b, (const hit_index[]){5}, &element));
    close_scene(&s);
    ck_assert_int_eq(status[0], HIT_OK);
    ck_assert_int_eq(status[1], HIT_E_CHECK);
    ck_assert_int_eq(status[2], HIT_OK);
    ck_assert_int_eq(total, 120);
    ck_assert_int_eq(element, 0);
}
END_TEST

START_TEST(patterns_that_are_too_wide_pass_where_that_is_asked_for)
{
    scene s = open_scene("loose", "0", "host");
    const hit_status loose = hit_launch(s.hit, &wrong_wide, inner, s.b, s.a);
    const hit_status wrong = hit_launch(s.hit, &wrong_left, inner, s.b, s.a);

    close_scene(&s);
    ck_assert_int_eq(loose, HIT_OK);
    ck_assert_int_eq(wrong, HIT_E_CHECK);
}
END_TEST

START_TEST(tiles_that_nobody_wrote_are_told_where_that_is_asked_for)
{
    scene s = open_scene("all", "0", "host");
    const hit_status filled = hit_launch(s.hit, &right_left, inner, s.b, s.a);
    const hit_status written = hit_launch(s.hit, &right_left, inner, s.a, s.b);
    hit_tile *fresh = make_tile(s.hit, hit_domain_of(40), HIT_INT64, "fresh");
    const hit_status unwritten = hit_launch(s.hit, &right_left, inner, s.a, fresh);
    char text[1200];

    snprintf(text, sizeof(text), "%s", hit_status_text());
    hit_tile_destroy(&fresh);
    close_scene(&s);
    ck_assert_int_eq(filled, HIT_OK);
    ck_assert_int_eq(written, HIT_OK);
    ck_assert_int_eq(unwritten, HIT_E_CHECK);
    ck_assert_msg(strstr(text, "tile fresh: index (2) reads (") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "nothing has been written to the tile") != NULL, "%s",
                  text);
}
END_TEST

START_TEST(aliases_are_refused)
{
    scene s = open_scene("1", "1", "host");
    hit_tile *low = NULL;
    hit_tile *high = NULL;
    hit_status same;
    hit_status overlapping;

    HIT_MUST(hit_tile_select(s.a, (hit_domain){1, {{0, 20, 1}}}, &low));
    HIT_MUST(hit_tile_select(s.a, (hit_domain){1, {{20, 39, 1}}}, &high));
    same = hit_launch(s.hit, &right_left, inner, s.a, s.a);
    overlapping = hit_launch(s.hit, &right_left, hit_domain_of(1), low, high);
    hit_tile_destroy(&low);
    hit_tile_destroy(&high);
    close_scene(&s);
    ck_assert_int_eq(same, HIT_E_ARG);
    ck_assert_int_eq(overlapping, HIT_E_ARG);
}
END_TEST

START_TEST(kernels_without_a_checked_half_are_checked_from_outside)
{
    scene s = open_scene("1", "1", "host");
    const hit_status right = hit_launch(s.hit, &plain_right, inner, s.b, s.a);
    const hit_status wrong = hit_launch(s.hit, &plain_wrong, inner, s.b, s.a);
    char text[1200];

    snprintf(text, sizeof(text), "%s", hit_status_text());
    close_scene(&s);
    ck_assert_int_eq(right, HIT_OK);
    ck_assert_int_eq(wrong, HIT_E_CHECK);
    ck_assert_msg(strstr(text, "argument a, tile a: indices 2:37: element (0) or another "
                               "one outside is read, but not declared") != NULL,
                  "%s", text);
}
END_TEST

static hit_index turned(hit_index k)
{
    return 39 - k;
}

START_TEST(where_data_says_so_they_are_checked_too)
{
    scene s = open_scene("1", "1", "host");
    hit_status put;
    hit_status some;

    s.hit->launcher->most_cells = 3; /* so that more is declared than is written */
    fill_numbers(s.a, turned);
    put = hit_launch(s.hit, &plain_put, hit_domain_of(5), s.b, s.a);
    some = hit_launch(s.hit, &plain_some, inner, s.b, s.a, HIT_WHERE("a > 7"));
    close_scene(&s);
    ck_assert_int_eq(put, HIT_OK);
    ck_assert_int_eq(some, HIT_OK);
}
END_TEST

START_TEST(what_lies_between_the_indices_of_a_strided_launch_is_kept)
{
    static const hit_kernel *const kernels[] = {&plain_pairs, &plain_pairs_box};
    const hit_domain every_third = {1, {{0, 36, 3}}};
    const int64_t seven = 7;

    for (int k = 0; k < 2; k++) {
        scene s = open_scene("1", "1", "host");
        int64_t found[] = {0, 0};
        hit_status status;

        HIT_MUST(hit_tile_fill(s.b, &seven));
        status = hit_launch(s.hit, kernels[k], every_third, s.b, s.a);
        ck_assert_msg(status == HIT_OK, "%s", hit_status_text());
        HIT_MUST(hit_tile_get(s.b, (hit_index[]){1}, &found[0]));
        HIT_MUST(hit_tile_get(s.b, (hit_index[]){2}, &found[1]));
        close_scene(&s);
        ck_assert_int_eq((int)found[0], 3);
        ck_assert_int_eq((int)found[1], 7);
    }
}
END_TEST

START_TEST(a_kernel_without_a_host_half_cannot_be_checked)
{
    static const char *const setting[][2] = {{"1", "0"}, {"0", "1"}};

    for (int k = 0; k < 2; k++) {
        scene s = open_scene(setting[k][0], setting[k][1], "host");
        const hit_status status = hit_launch(s.hit, &alone, hit_domain_of(40), s.b);

        close_scene(&s);
        ck_assert_int_eq(status, HIT_E_ABSENT);
    }
}
END_TEST

START_TEST(values_that_mean_nothing_are_refused)
{
    hit_context *hit = NULL;
    hit_status status;

    setenv("HIT_CHECK", "yes", 1);
    setenv("HIT_COMPARE", "0", 1);
    status = hit_open_with(NULL, NULL, NULL, &hit);
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_ptr_null(hit);
    ck_assert_msg(
        strstr(hit_status_text(),
               "HIT_CHECK: expected 0, loose, 1, whole or all but found \"yes\"") != NULL,
        "%s", hit_status_text());
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("verified launches");
    TCase *launches = tcase_create("launches");

    tcase_set_timeout(launches, 0);
    tcase_add_test(launches, a_difference_is_told_with_both_values);
    tcase_add_test(launches, what_is_not_strict_may_differ_by_rounding_only);
    tcase_add_test(launches, kernel_files_say_whether_they_are_strict);
    tcase_add_test(launches, a_checked_launch_does_what_it_did);
    tcase_add_test(launches, patterns_that_are_too_wide_pass_where_that_is_asked_for);
    tcase_add_test(launches, tiles_that_nobody_wrote_are_told_where_that_is_asked_for);
    tcase_add_test(launches, aliases_are_refused);
    tcase_add_test(launches, kernels_without_a_checked_half_are_checked_from_outside);
    tcase_add_test(launches, where_data_says_so_they_are_checked_too);
    tcase_add_test(launches, what_lies_between_the_indices_of_a_strided_launch_is_kept);
    tcase_add_test(launches, a_kernel_without_a_host_half_cannot_be_checked);
    tcase_add_test(launches, values_that_mean_nothing_are_refused);
    suite_add_tcase(suite, launches);
    return suite;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
