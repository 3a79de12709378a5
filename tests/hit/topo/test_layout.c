/* SPDX-License-Identifier: MIT
 * Layouts by their text: options, errors, registry, keys; and what the plug-ins give for
 * known cases. */
#include "hit/base/context.h"
#include "hit/base/registry.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_print.h"
#include "tests/support/check_main.h"
#include "tests/support/comma_locale.h"

#include <string.h>

/** The printed parts of a layout over @p ranks ranks, without the first line. */
static void expect_parts(hit_domain domain, int ranks, const char *text,
                         const char *parts)
{
    hit_context context = {.size = ranks};
    hit_layout *layout;
    char found[4096];

    ck_assert_int_eq(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_OK);
    ck_assert_int_eq(hit_layout_ranks(layout), ranks);
    ck_assert_int_eq(hit_layout_print(layout, found, sizeof found), HIT_OK);
    ck_assert_str_eq(strchr(found, '\n') + 1, parts);
    hit_layout_destroy(&layout);
    ck_assert_ptr_null(layout);
}

/** The text is refused over 4 ranks with a message that contains @p words. */
static void expect_refusal(hit_domain domain, const char *text, const char *words)
{
    hit_context context = {.size = 4};
    hit_layout *layout = NULL;

    ck_assert_int_eq(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "\"%s\" is not in \"%s\"",
                  words, hit_status_text());
    ck_assert_ptr_null(layout);
}

static uint64_t key_of(hit_domain domain, int ranks, const char *text)
{
    hit_context context = {.size = ranks};
    hit_layout *layout;
    uint64_t key;

    ck_assert_int_eq(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_OK);
    key = hit_layout_key(layout);
    hit_layout_destroy(&layout);
    return key;
}

START_TEST(block_parts_differ_by_at_most_one)
{
    expect_parts(hit_domain_of(10), 4, "block",
                 "rank 0: 0:2\nrank 1: 3:5\nrank 2: 6:7\nrank 3: 8:9\n");
    expect_parts(hit_domain_of(2), 3, "block",
                 "rank 0: 0:0\nrank 1: 1:1\nrank 2: nothing\n");
    expect_parts(hit_domain_of(4, 6), 4, "block",
                 "rank 0: 0:1 x 0:2\nrank 1: 0:1 x 3:5\n"
                 "rank 2: 2:3 x 0:2\nrank 3: 2:3 x 3:5\n");
    expect_parts(hit_domain_of(4, 6), 2, "block:grid=2x1",
                 "rank 0: 0:1 x 0:5\nrank 1: 2:3 x 0:5\n");
    expect_parts(hit_domain_of(4, 6), 2, "block:dims=1",
                 "rank 0: 0:3 x 0:2\nrank 1: 0:3 x 3:5\n");
}
END_TEST

START_TEST(block_splits_positions_not_values)
{
    hit_domain domain = {.dims = 1, .sig = {hit_sig_make(-3, 17, 5)}};

    expect_parts(domain, 2, "block", "rank 0: -3:7:5\nrank 1: 12:17:5\n");
}
END_TEST

START_TEST(a_scalar_is_on_rank_0_or_the_root)
{
    expect_parts(hit_domain_scalar(), 2, "block", "rank 0: ()\nrank 1: nothing\n");
    expect_parts(hit_domain_scalar(), 2, "single:root=1",
                 "rank 0: nothing\nrank 1: ()\n");
    expect_refusal(hit_domain_scalar(), "cyclic", "scalar");
    expect_refusal(hit_domain_scalar(), "blockcyclic", "scalar");
    expect_refusal(hit_domain_scalar(), "weighted", "scalar");
}
END_TEST

START_TEST(cyclic_parts_are_strided)
{
    expect_parts(hit_domain_of(7), 3, "cyclic",
                 "rank 0: 0:6:3\nrank 1: 1:4:3\nrank 2: 2:5:3\n");
    expect_parts(hit_domain_of(2, 4), 3, "cyclic:dim=1",
                 "rank 0: 0:1 x 0:3:3\nrank 1: 0:1 x 1:1\nrank 2: 0:1 x 2:2\n");
}
END_TEST

START_TEST(blockcyclic_parts_list_their_blocks_in_row_major_order)
{
    expect_parts(hit_domain_of(7), 2, "blockcyclic:block=2",
                 "rank 0: 0:1, 4:5\nrank 1: 2:3, 6:6\n");
    expect_parts(hit_domain_of(4, 8), 2, "blockcyclic:block=2x2,grid=1x2",
                 "rank 0: 0:3 x 0:1, 0:3 x 4:5\nrank 1: 0:3 x 2:3, 0:3 x 6:7\n");
    expect_parts(hit_domain_of(6, 6), 4, "blockcyclic: block=2x2, grid=2x2",
                 "rank 0: 0:1 x 0:1, 0:1 x 4:5, 4:5 x 0:1, 4:5 x 4:5\n"
                 "rank 1: 0:1 x 2:3, 4:5 x 2:3\n"
                 "rank 2: 2:3 x 0:1, 2:3 x 4:5\n"
                 "rank 3: 2:3 x 2:3\n");
}
END_TEST

START_TEST(blockcyclic_single_elements_are_one_strided_domain)
{
    expect_parts(hit_domain_of(3, 3), 4, "blockcyclic: block=1x1, grid=2x2",
                 "rank 0: 0:2:2 x 0:2:2\n"
                 "rank 1: 0:2:2 x 1:1\n"
                 "rank 2: 1:1 x 0:2:2\n"
                 "rank 3: 1:1 x 1:1\n");
}
END_TEST

START_TEST(weighted_parts_follow_the_weights)
{
    expect_parts(hit_domain_of(12), 4, "weighted:weights=1,2,0,3",
                 "rank 0: 0:1\nrank 1: 2:5\nrank 2: nothing\nrank 3: 6:11\n");
    expect_parts(hit_domain_of(2, 3), 2, "weighted:weights=0.5,1e0,dim=1",
                 "rank 0: 0:1 x 0:0\nrank 1: 0:1 x 1:2\n");
    expect_parts(hit_domain_of(4), 2, "weighted", "rank 0: 0:1\nrank 1: 2:3\n");
}
END_TEST

START_TEST(weights_are_read_in_any_locale)
{
    (void)comma_locale_set();
    expect_parts(hit_domain_of(3), 2, "weighted:weights=0.5,1.0",
                 "rank 0: 0:0\nrank 1: 1:2\n");
    comma_locale_reset();
}
END_TEST

START_TEST(an_unknown_layout_lists_the_known_ones)
{
    expect_refusal(hit_domain_of(4), "blok:grid=4", "\"blok\"");
    expect_refusal(hit_domain_of(4), "blok:grid=4",
                   "block, cyclic, blockcyclic, weighted, cpm");
    expect_refusal(hit_domain_of(4), "", "block, ");
    expect_refusal(hit_domain_of(4), "block grid=4", "expected ':'");
}
END_TEST

START_TEST(an_unknown_option_shows_the_help)
{
    expect_refusal(hit_domain_of(4), "block:gird=4",
                   "unknown option gird; did you mean \"grid\"?");
    expect_refusal(hit_domain_of(4), "block:gird=4", "grid=AxB");
    expect_refusal(hit_domain_of(4), "cyclic:dim=0,root=1", "unknown option root");
    expect_refusal(hit_domain_of(4), "single:dim=0", "root=R");
}
END_TEST

START_TEST(options_that_are_no_options_are_refused)
{
    expect_refusal(hit_domain_of(4), "block:grid", "expected option=value");
    expect_refusal(hit_domain_of(4), "block:2x2,grid=4", "expected option=value");
    expect_refusal(hit_domain_of(4), "block:grid=", "expected option=value");
    expect_refusal(hit_domain_of(4), "block:=4", "expected option=value");
    expect_refusal(hit_domain_of(4), "block:grid=4,grid=4", "given twice");
    expect_refusal(hit_domain_of(4), "block:grid=4,", "\"4,\"");
}
END_TEST

START_TEST(wrong_values_are_refused_with_what_was_expected)
{
    expect_refusal(hit_domain_of(4, 4), "block:grid=2x3", "product 4");
    expect_refusal(hit_domain_of(4, 4), "block:grid=4", "2 sizes");
    expect_refusal(hit_domain_of(4, 4), "block:grid=0x4", "product 4");
    expect_refusal(hit_domain_of(4, 4), "block:grid=4294967296x4294967297", "product 4");
    expect_refusal(hit_domain_of(4, 4), "block:grid=99999999999999999999x1",
                   "whole numbers");
    expect_refusal(hit_domain_of(4, 4), "block:grid=-2x-2", "whole numbers");
    expect_refusal(hit_domain_of(4, 4), "block:grid=1x1x1x2x2", "at most 4");
    expect_refusal(hit_domain_of(4, 4), "block:dims=2", "below 2");
    expect_refusal(hit_domain_of(4, 4), "block:dims=1,grid=1x4", "found both");
    expect_refusal(hit_domain_of(4, 4), "cyclic:dim=2", "from 0 to 1");
    expect_refusal(hit_domain_of(4, 4), "cyclic:dim=x", "\"x\"");
    expect_refusal(hit_domain_of(4, 4), "single:root=4", "from 0 to 3");
    expect_refusal(hit_domain_of(4, 4), "blockcyclic:block=0", "sizes >= 1");
    expect_refusal(hit_domain_of(4, 4), "blockcyclic:block=1x1x1", "1 or 2 sizes");
    expect_refusal(hit_domain_of(INT64_C(1) << 40), "blockcyclic:block=2",
                   "larger blocks");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=1,2", "4 numbers but found 2");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=1,2,3,4,5", "found 5");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=1,,3,4", "numbers");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=1,2,3,-4", "-4");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=1,2,3,nan", "nan");
    expect_refusal(hit_domain_of(4, 4), "weighted:weights=0,0,0,0", "all 4 are 0");
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    hit_context context = {.size = 2};
    hit_domain broken = {.dims = 1, .sig = {{0, 10, 3}}};
    hit_region part = {0};
    hit_layout *layout = NULL;

    ck_assert_int_eq(hit_layout_plan_text(NULL, hit_domain_of(4), 0, "block", &layout),
                     HIT_E_ARG);
    ck_assert_int_eq(
        hit_layout_plan_text(&context, hit_domain_of(4), context.size, NULL, &layout),
        HIT_E_ARG);
    ck_assert_int_eq(
        hit_layout_plan_text(&context, broken, context.size, "block", &layout),
        HIT_E_ARG);
    ck_assert_int_eq(
        hit_layout_plan(hit_layout_table[0], hit_domain_of(4), 0, NULL, &layout),
        HIT_E_ARG);
    ck_assert_int_eq(hit_layout_plan(NULL, hit_domain_of(4), 1, NULL, &layout),
                     HIT_E_ARG);

    ck_assert_int_eq(
        hit_layout_plan_text(&context, hit_domain_of(4), context.size, "block", &layout),
        HIT_OK);
    ck_assert_int_eq(hit_layout_part(layout, 2, &part), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_part(layout, -1, &part), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_part(layout, 0, &part), HIT_OK);
    ck_assert_int_eq(hit_layout_part(layout, 1, &part), HIT_E_ARG);
    ck_assert_int_eq(part.count, 1);
    hit_region_clear(&part);
    hit_layout_destroy(&layout);
    hit_layout_destroy(&layout);
}
END_TEST

START_TEST(keys_are_equal_for_layouts_that_answer_alike)
{
    hit_domain domain = hit_domain_of(40, 40);
    uint64_t key = key_of(domain, 4, "blockcyclic:block=2,grid=2x2");

    ck_assert_uint_eq(key, key_of(domain, 4, " blockcyclic : grid = 2x2 , block = 2 "));
    ck_assert_uint_ne(key, key_of(domain, 4, "blockcyclic:block=3,grid=2x2"));
    ck_assert_uint_ne(key, key_of(domain, 4, "blockcyclic:block=2"));
    ck_assert_uint_ne(key, key_of(domain, 4, "block:grid=2x2"));
    ck_assert_uint_ne(key,
                      key_of(hit_domain_of(40, 41), 4, "blockcyclic:block=2,grid=2x2"));
    ck_assert_uint_ne(key_of(domain, 4, "block"), key_of(domain, 5, "block"));
}
END_TEST

START_TEST(a_shared_layout_lives_until_its_last_reference)
{
    hit_context context = {.size = 2};
    hit_layout *layout;
    hit_layout *kept;

    ck_assert_int_eq(
        hit_layout_plan_text(&context, hit_domain_of(4), context.size, "block", &layout),
        HIT_OK);
    kept = hit_layout_share(layout);
    hit_layout_destroy(&layout);
    ck_assert_ptr_null(layout);
    ck_assert_str_eq(hit_layout_name(kept), "block");
    ck_assert_int_eq(hit_layout_owner(kept, (const hit_index[]){3}), 1);
    hit_layout_destroy(&kept);
}
END_TEST

START_TEST(a_layout_of_the_program_can_be_added_once)
{
    hit_context context = {.size = 2};
    hit_layout_ops mine = *hit_layout_table[0];
    hit_layout_ops half = mine;
    hit_layout *layout;

    mine.name = "mine";
    ck_assert_int_eq(hit_layout_register(&context, &mine), HIT_OK);
    ck_assert_int_eq(hit_layout_plan_text(&context, hit_domain_of(4), context.size,
                                          "mine:grid=2", &layout),
                     HIT_OK);
    ck_assert_str_eq(hit_layout_name(layout), "mine");
    hit_layout_destroy(&layout);

    ck_assert_int_eq(hit_layout_register(&context, &mine), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_register(&context, hit_layout_table[1]), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_register(&context, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_layout_register(NULL, &mine), HIT_E_ARG);
    half.name = "half";
    half.owner = NULL;
    ck_assert_int_eq(hit_layout_register(&context, &half), HIT_E_ARG);
    half = mine;
    half.name = "a:b";
    ck_assert_int_eq(hit_layout_register(&context, &half), HIT_E_ARG);
    ck_assert_int_eq(
        hit_layout_plan_text(&context, hit_domain_of(4), context.size, "theirs", &layout),
        HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "single or mine"));
    hit_registry_destroy(&context.layouts);
    hit_registry_destroy(&context.layouts);
}
END_TEST

/** Of the part of rank @p rank: begin and end in the first dimension. */
static void expect_edge(const hit_layout *layout, int rank, hit_index begin,
                        hit_index end)
{
    hit_region part = {0};

    ck_assert_int_eq(hit_layout_part(layout, rank, &part), HIT_OK);
    ck_assert_int_eq(part.count, 1);
    ck_assert_int_eq(part.part[0].sig[0].begin, begin);
    ck_assert_int_eq(part.part[0].sig[0].end, end);
    ck_assert_int_eq(hit_layout_owner(layout, &begin), rank);
    ck_assert_int_eq(hit_layout_owner(layout, &end), rank);
    hit_region_clear(&part);
}

START_TEST(parts_are_exact_in_64_bits)
{
    hit_index n = INT64_C(4000000000000000007);
    hit_index size = n / 10000;
    hit_domain domain = hit_domain_of(n);
    hit_domain largest = hit_domain_of(INT64_MAX);
    hit_layout *layout;

    ck_assert_int_eq(hit_layout_plan(hit_layout_table[0], largest, 1, "", &layout),
                     HIT_OK);
    expect_edge(layout, 0, 0, INT64_MAX - 1);
    hit_layout_destroy(&layout);
    ck_assert_int_eq(hit_layout_plan(hit_layout_table[0], domain, 10000, "", &layout),
                     HIT_OK);
    expect_edge(layout, 0, 0, size);
    expect_edge(layout, 6, 6 * (size + 1), 7 * (size + 1) - 1);
    expect_edge(layout, 7, 7 * (size + 1), 7 * (size + 1) + size - 1);
    expect_edge(layout, 9999, n - size, n - 1);
    hit_layout_destroy(&layout);

    ck_assert_int_eq(hit_layout_plan(hit_layout_table[1], domain, 10000, NULL, &layout),
                     HIT_OK);
    expect_edge(layout, 9999, 9999, n - 8);
    hit_layout_destroy(&layout);

    domain.sig[0] =
        hit_sig_make(-INT64_C(4000000000000000000), INT64_C(4000000000000000000),
                     INT64_C(2000000000000000000));
    ck_assert_int_eq(hit_layout_plan(hit_layout_table[1], domain, 4, NULL, &layout),
                     HIT_OK);
    expect_edge(layout, 0, -INT64_C(4000000000000000000), INT64_C(4000000000000000000));
    expect_edge(layout, 3, INT64_C(2000000000000000000), INT64_C(2000000000000000000));
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("layout");
    TCase *tcase = tcase_create("layout");

    tcase_add_test(tcase, block_parts_differ_by_at_most_one);
    tcase_add_test(tcase, block_splits_positions_not_values);
    tcase_add_test(tcase, a_scalar_is_on_rank_0_or_the_root);
    tcase_add_test(tcase, cyclic_parts_are_strided);
    tcase_add_test(tcase, blockcyclic_parts_list_their_blocks_in_row_major_order);
    tcase_add_test(tcase, blockcyclic_single_elements_are_one_strided_domain);
    tcase_add_test(tcase, weighted_parts_follow_the_weights);
    tcase_add_test(tcase, weights_are_read_in_any_locale);
    tcase_add_test(tcase, an_unknown_layout_lists_the_known_ones);
    tcase_add_test(tcase, an_unknown_option_shows_the_help);
    tcase_add_test(tcase, options_that_are_no_options_are_refused);
    tcase_add_test(tcase, wrong_values_are_refused_with_what_was_expected);
    tcase_add_test(tcase, wrong_arguments_are_refused);
    tcase_add_test(tcase, keys_are_equal_for_layouts_that_answer_alike);
    tcase_add_test(tcase, a_shared_layout_lives_until_its_last_reference);
    tcase_add_test(tcase, a_layout_of_the_program_can_be_added_once);
    tcase_add_test(tcase, parts_are_exact_in_64_bits);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
