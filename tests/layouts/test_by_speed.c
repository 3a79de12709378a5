/* SPDX-License-Identifier: MIT
 * Layouts by speeds and models: what they give for known cases, what they refuse, and
 * that they are quick for many ranks. */
#include "hit/base/context.h"
#include "hit/data/region.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"
#include "hit/topo/layout_print.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CORE "tests/data/models/core.fpm"
#define GPU "tests/data/models/gpu.fpm"
#define SLOW "tests/data/models/slow.fpm"

/** The printed layout over @p ranks ranks. */
static void expect(hit_domain domain, int ranks, const char *text, const char *printed)
{
    hit_context context = {.size = ranks};
    hit_layout *layout;
    char found[4096];

    ck_assert_int_eq(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_OK);
    ck_assert_int_eq(hit_layout_print(layout, found, sizeof found), HIT_OK);
    ck_assert_str_eq(found, printed);
    hit_layout_destroy(&layout);
}

static void expect_refusal(hit_domain domain, int ranks, const char *text,
                           const char *words)
{
    hit_context context = {.size = ranks};
    hit_layout *layout = NULL;

    ck_assert_int_ne(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_OK);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "\"%s\" is not in \"%s\"",
                  words, hit_status_text());
    ck_assert_ptr_null(layout);
}

START_TEST(slices_are_printed_as_whole_numbers)
{
    expect(hit_domain_of(12), 3, "weighted:weights=0.5,1e0,1.5",
           "weighted:dim=0,shares=2,4,6 splits 0:11 over 3 ranks\n"
           "rank 0: 0:1\nrank 1: 2:5\nrank 2: 6:11\n");
    expect(hit_domain_of(3, 4), 2, "cpm:speeds=1,3,dim=1",
           "cpm:dim=1,shares=1,3 splits 0:2 x 0:3 over 2 ranks\n"
           "rank 0: 0:2 x 0:0\nrank 1: 0:2 x 1:3\n");
    expect(hit_domain_of(4), 2, "fpm:shares=0,4",
           "fpm:shares=0,4 splits 0:3 over 2 ranks\n"
           "rank 0: nothing\nrank 1: 0:3\n");
}
END_TEST

START_TEST(a_unit_of_a_model_is_an_element)
{
    /* beyond 200 elements the GPU soon falls from 300 to 20 per second */
    expect(hit_domain_of(300), 2, "fpm:models=" GPU "," SLOW,
           "fpm:dim=0,shares=206,94 splits 0:299 over 2 ranks\n"
           "rank 0: 0:205\nrank 1: 206:299\n");
    expect(hit_domain_of(10, 30), 2, "fpm:dim=1,models=" GPU "," SLOW,
           "fpm:dim=1,shares=20,10 splits 0:9 x 0:29 over 2 ranks\n"
           "rank 0: 0:9 x 0:19\nrank 1: 0:9 x 20:29\n");
}
END_TEST

/* as hit partition pareto says; the second one takes less energy, beyond 60 elements */
START_TEST(energy_is_saved_within_some_percent_of_the_time)
{
    expect(hit_domain_of(300), 2, "fpm:models=" GPU "," SLOW ",energy=" SLOW "," CORE,
           "fpm:dim=0,shares=206,94 splits 0:299 over 2 ranks\n"
           "rank 0: 0:205\nrank 1: 206:299\n");
    expect(hit_domain_of(300), 2,
           "fpm:models=" GPU "," SLOW ",energy=" SLOW "," CORE ",within=5%",
           "fpm:dim=0,shares=202,98 splits 0:299 over 2 ranks\n"
           "rank 0: 0:201\nrank 1: 202:299\n");
    expect(hit_domain_of(300), 2,
           "fpm:models=" GPU "," SLOW ",energy=" SLOW "," CORE ",within=50",
           "fpm:dim=0,shares=159,141 splits 0:299 over 2 ranks\n"
           "rank 0: 0:158\nrank 1: 159:299\n");
    expect_refusal(hit_domain_of(300), 2, "fpm:models=" GPU ",within=5%",
                   "expected energy= beside within=");
    expect_refusal(hit_domain_of(300), 2, "fpm:models=" GPU ",energy=" SLOW ",within=-5%",
                   "expected within= as 5%");
    expect_refusal(hit_domain_of(300), 2,
                   "fpm:models=" GPU ",energy=" GPU "," GPU "," GPU,
                   "expected energy= 1 or 2");
    expect_refusal(hit_domain_of(300), 2, "fpm:energy=" GPU ",shares=1,2", "shares");
}
END_TEST

START_TEST(constant_speeds_are_those_of_even_shares)
{
    /* 300 elements each: beyond the memory of the GPU, which is taken to be 20 / s */
    expect(hit_domain_of(600), 2, "cpm:models=" GPU "," SLOW,
           "cpm:dim=0,shares=171,429 splits 0:599 over 2 ranks\n"
           "rank 0: 0:170\nrank 1: 171:599\n");
}
END_TEST

START_TEST(columns_are_printed_as_rectangles)
{
    expect(hit_domain_of(10, 20), 3, "fpm2d:speeds=2,1,1",
           "fpm2d:dims=0,1,rects=0.0.10.10;0.10.5.10;5.10.5.10 splits 0:9 x 0:19 over 3 "
           "ranks\n"
           "rank 0: 0:9 x 0:9\nrank 1: 0:4 x 10:19\nrank 2: 5:9 x 10:19\n");
    expect(hit_domain_of(20, 3, 10), 3, "fpm2d:dims=2,0,speeds=2,1,1",
           "fpm2d:dims=2,0,rects=0.0.10.10;0.10.5.10;5.10.5.10 splits 0:19 x 0:2 x 0:9 "
           "over 3 ranks\n"
           "rank 0: 0:9 x 0:2 x 0:9\nrank 1: 10:19 x 0:2 x 0:4\n"
           "rank 2: 10:19 x 0:2 x 5:9\n");
}
END_TEST

START_TEST(grids_and_cuts_are_printed_as_rectangles)
{
    expect(hit_domain_of(8, 8), 4, "grid2d:speeds=3,2,2,1",
           "grid2d:dims=0,1,rects=0.0.6.4;0.4.4.4;4.4.4.4;6.0.2.4 splits 0:7 x 0:7 over "
           "4 ranks\n"
           "rank 0: 0:5 x 0:3\nrank 1: 0:3 x 4:7\n"
           "rank 2: 4:7 x 4:7\nrank 3: 6:7 x 0:3\n");
    expect(hit_domain_of(9, 12), 4, "cartesian:speeds=4,2,2,1",
           "cartesian:dims=0,1,rects=0.0.6.8;0.8.6.4;6.0.3.8;6.8.3.4 splits 0:8 x 0:11 "
           "over 4 ranks\n"
           "rank 0: 0:5 x 0:7\nrank 1: 0:5 x 8:11\n"
           "rank 2: 6:8 x 0:7\nrank 3: 6:8 x 8:11\n");
}
END_TEST

START_TEST(panels_are_runs_of_their_owners)
{
    expect(hit_domain_of(11), 2, "ordered:speeds=2,1,panel=2",
           "ordered:dim=0,owners=1,0,0,1,0,0,panel=2 splits 0:10 over 2 ranks\n"
           "rank 0: 2:5, 8:10\nrank 1: 0:1, 6:7\n");
    /* by models, step k works on the rows after panel k: in the first step a panel is 36
     * units, of which five fit the GPU's memory and six do not */
    expect(hit_domain_of(20, 20), 3,
           "ordered:panel=2,dim=1,models=" CORE "," GPU "," SLOW,
           "ordered:dim=1,owners=0,2,0,2,1,1,0,1,1,1,panel=2 splits 0:19 x 0:19 over 3 "
           "ranks\n"
           "rank 0: 0:19 x 0:1, 0:19 x 4:5, 0:19 x 12:13\n"
           "rank 1: 0:19 x 8:11, 0:19 x 14:19\n"
           "rank 2: 0:19 x 2:3, 0:19 x 6:7\n");
}
END_TEST

START_TEST(other_dimensions_count_as_units)
{
    /* 300 elements, of which the GPU takes 180: 210 would be too many */
    expect(hit_domain_of(10, 10, 3), 2, "fpm2d:models=" GPU "," SLOW,
           "fpm2d:dims=0,1,rects=0.0.6.10;6.0.4.10 splits 0:9 x 0:9 x 0:2 over 2 ranks\n"
           "rank 0: 0:5 x 0:9 x 0:2\nrank 1: 6:9 x 0:9 x 0:2\n");
}
END_TEST

START_TEST(a_corner_is_counted_to_the_element)
{
    expect(hit_domain_of(10, 10), 2, "corner:speeds=89,11",
           "corner:box=1.3.11,dims=0,1 splits 0:9 x 0:9 over 2 ranks\n"
           "rank 0: 3:9 x 0:2, 2:9 x 3:3, 0:9 x 4:9\n"
           "rank 1: 0:2 x 0:2, 0:1 x 3:3\n");
    expect(hit_domain_of(10, 10), 2, "corner",
           "corner:box=0.10.50,dims=0,1 splits 0:9 x 0:9 over 2 ranks\n"
           "rank 0: 0:9 x 0:4\nrank 1: 0:9 x 5:9\n");
    expect(hit_domain_of(10, 10), 1, "corner",
           "corner:box=0.10.100,dims=0,1 splits 0:9 x 0:9 over 1 ranks\n"
           "rank 0: 0:9 x 0:9\n");
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    hit_domain flat = hit_domain_of(4, 4);

    expect_refusal(flat, 2, "weighted:weights=1,2,shares=2,2", "found both");
    expect_refusal(flat, 2, "weighted:shares=2,3", "sum up to 4 but found more");
    expect_refusal(flat, 2, "weighted:shares=2,1", "sum up to 4 but found 3");
    expect_refusal(flat, 2, "weighted:shares=5,-1", "found \"-1\"");
    expect_refusal(flat, 2, "weighted:shares=4", "2 whole numbers but found 1");
    expect_refusal(flat, 2, "cpm:speeds=1,2,models=" CORE, "found both");
    expect_refusal(flat, 2, "cpm:speeds=1,inf", "inf");
    expect_refusal(flat, 2, "cpm:gird=1", "unknown option gird");
    expect_refusal(flat, 3, "cpm:models=" CORE "," GPU, "1 or 3 files but found 2");
    expect_refusal(flat, 2, "fpm", "expected models=, kernel= or shares=");
    expect_refusal(flat, 2, "fpm:models=absent", "absent");
    expect_refusal(flat, 2, "fpm:models=tests/contract/layout.c", "layout.c");
    expect_refusal(hit_domain_scalar(), 2, "fpm:models=" CORE, "scalar");
    expect_refusal(hit_domain_of(4), 2, "fpm2d", "at least 2 dimensions");
    expect_refusal(flat, 2, "fpm2d:dims=0", "two different dimensions");
    expect_refusal(flat, 2, "fpm2d:dims=1,1", "two different dimensions");
    expect_refusal(flat, 2, "fpm2d:dims=0,2", "two different dimensions");
    expect_refusal(flat, 2, "fpm2d:speeds=0,0",
                   "expected speeds= a number > 0 but all 2 are 0");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.4", "2 times ROW.COLUMN.HEIGHT.WIDTH");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.4;x", "for rank 1");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.4;0.0.0.0;", "for rank 1");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.2;0.2.4.1", "found gaps");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.2;0.1.4.3", "found gaps");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.2;1.2.3.2", "found gaps");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.4.2;0.2.5.2", "found gaps");
    expect_refusal(flat, 2, "fpm2d:rects=0.0.2.4;2.0.2.4,speeds=1,1", "found both");
    expect_refusal(flat, 2, "cartesian:models=" CORE, "unknown option models");
    expect_refusal(flat, 2, "grid2d:speeds=1", "2 numbers but found 1");
    expect_refusal(flat, 2, "ordered:panel=2,owners=0", "2 whole numbers but found 1");
    expect_refusal(flat, 2, "ordered:panel=2,owners=0,2", "ranks below 2 but found 2");
    expect_refusal(flat, 2, "ordered:owners=0,speeds=1,1", "found both");
    expect_refusal(flat, 2, "ordered:speeds=0,0",
                   "expected speeds= a number > 0 but all 2 are 0");
    expect_refusal(flat, 2, "ordered:panel=0", "expected a whole number >= 1");
    expect_refusal(hit_domain_of(1 << 21), 2, "ordered:panel=1", "use a larger panel=");
    expect_refusal(flat, 3, "corner", "1 or 2 ranks but found 3");
    expect_refusal(flat, 2, "corner:box=0.2", "expected box=");
    expect_refusal(flat, 2, "corner:box=2.2.2", "expected box=");
    expect_refusal(flat, 2, "corner:box=0.2.9", "expected box=");
    expect_refusal(flat, 2, "corner:box=0.0.1", "expected box=");
    expect_refusal(flat, 1, "corner:box=0.2.3", "1 rank");
    expect_refusal(hit_domain_of(INT64_C(1) << 40, INT64_C(1) << 40), 2, "corner",
                   "at most 2^62");
}
END_TEST

START_TEST(ten_thousand_ranks_are_laid_out)
{
    enum {
        RANKS = 10000
    };
    hit_context context = {.size = RANKS};
    hit_domain domain = hit_domain_of(30000, 20000);
    char *text = calloc(RANKS, 8);
    hit_layout *layout;
    hit_index owned = 0;

    ck_assert_ptr_nonnull(text);
    strcpy(text, "fpm2d:speeds=");
    for (int rank = 0, used = (int)strlen(text); rank < RANKS; rank++) {
        used += sprintf(text + used, rank == 0 ? "%d" : ",%d", 1 + rank % 17);
    }
    ck_assert_int_eq(hit_layout_plan_text(&context, domain, context.size, text, &layout),
                     HIT_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        hit_region part = {0};
        bool good = true;

        ck_assert_int_eq(hit_layout_part(layout, rank, &part), HIT_OK);
        owned += hit_region_count(&part);
        for (int i = 0; i < part.count; i++) {
            const hit_domain *box = &part.part[i];
            const hit_index first[] = {box->sig[0].begin, box->sig[1].begin};
            const hit_index last[] = {box->sig[0].end, box->sig[1].end};

            good = good && hit_layout_owner(layout, first) == rank &&
                   hit_layout_owner(layout, last) == rank;
        }
        ck_assert(good);
        hit_region_clear(&part);
    }
    ck_assert_int_eq(owned, INT64_C(600000000));
    hit_layout_destroy(&layout);
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("layouts by speed");
    TCase *tcase = tcase_create("layouts by speed");

    tcase_add_test(tcase, slices_are_printed_as_whole_numbers);
    tcase_add_test(tcase, a_unit_of_a_model_is_an_element);
    tcase_add_test(tcase, energy_is_saved_within_some_percent_of_the_time);
    tcase_add_test(tcase, constant_speeds_are_those_of_even_shares);
    tcase_add_test(tcase, columns_are_printed_as_rectangles);
    tcase_add_test(tcase, grids_and_cuts_are_printed_as_rectangles);
    tcase_add_test(tcase, panels_are_runs_of_their_owners);
    tcase_add_test(tcase, other_dimensions_count_as_units);
    tcase_add_test(tcase, a_corner_is_counted_to_the_element);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    tcase_add_test(tcase, ten_thousand_ranks_are_laid_out);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
