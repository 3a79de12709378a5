/* SPDX-License-Identifier: MIT
 * Layouts by costs: sea and land, and a triangle, on unlike processes. */
#include "hit/base/context.h"
#include "hit/data/region.h"
#include "hit/hit.h"
#include "layouts/costs.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    N = 400,
    M = 300
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static double triangle(hit_index i, hit_index j)
{
    return j * N <= i * M ? 1 : 0;
}

/* Islands; some two fifths are land. */
static double sea(hit_index i, hit_index j)
{
    return sin(0.031 * (double)i) + cos(0.043 * (double)j) > -0.4 ? 1 : 0;
}

static double uneven(hit_index i, hit_index j)
{
    return 0.125 * (double)((i * i + 3 * j) % 97);
}

typedef double cost_function(hit_index i, hit_index j);
static cost_function *const functions[] = {triangle, sea, uneven};

/* A tile of costs in a layout that has nothing to do with that of the program. */
static hit_tile *make_costs(const char *layout, hit_type type, cost_function *cost)
{
    hit_tile *tile;
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_make(base, hit_domain_of(N, M), layout, type, "costs", &tile));
    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, piece, HIT_WRITE, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            if (type.kind == HIT_KIND_DOUBLE) {
                HIT_AT(view, double, x[0], x[1]) = cost(x[0], x[1]);
            } else {
                HIT_AT(view, int8_t, x[0], x[1]) = (int8_t)cost(x[0], x[1]);
            }
        }
    }
    return tile;
}

/* Rank k is 1, 2, 3, 1, 2, 3 ... times as fast. */
static double speed_of(int rank)
{
    return 1 + rank % 3;
}

/* "NAME:speeds=1,2,3" */
static const char *with_speeds(const char *name, const char *option, char text[256])
{
    int used = snprintf(text, 256, "%s:%s=", name, option);

    for (int rank = 0; rank < hit_size(base); rank++) {
        used += snprintf(text + used, 256 - (size_t)used, "%s%g", rank > 0 ? "," : "",
                         speed_of(rank));
    }
    return text;
}

/* The longest time of a process / that of all together. */
static double of_ideal(const hit_layout *layout, cost_function *cost, bool speeds)
{
    double most = 0;
    double all = 0;
    double fast = 0;

    for (int rank = 0; rank < hit_size(base); rank++) {
        const double speed = speeds ? speed_of(rank) : 1;
        hit_region part = {0};
        hit_index x[HIT_MAX_DIMS];
        double mine = 0;

        HIT_MUST(hit_layout_part(layout, rank, &part));
        for (int k = 0; k < part.count; k++) {
            for (bool more = hit_domain_first(&part.part[k], x); more;
                 more = hit_domain_next(&part.part[k], x)) {
                mine += cost(x[0], x[1]);
            }
        }
        hit_region_clear(&part);
        most = fmax(most, mine / speed);
        all += mine;
        fast += speed;
    }
    return most / (all / fast);
}

START_TEST(each_process_gets_as_much_cost_as_it_is_fast)
{
    static const struct {
        const char *name;
        const char *option;
    } kinds[] = {{"cpm", "speeds"},
                 {"weighted", "weights"},
                 {"cpm2d", "speeds"},
                 {"fpm2d", "speeds"}};
    cost_function *cost = functions[_i];
    hit_tile *costs = make_costs("cyclic", HIT_DOUBLE, cost);

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char text[256];
        hit_layout *layout;

        HIT_MUST(hit_layout_from_costs(
            base, with_speeds(kinds[k].name, kinds[k].option, text), costs, &layout));
        ck_assert_str_eq(hit_layout_name(layout), kinds[k].name);
        ck_assert_double_le(of_ideal(layout, cost, true), 1.05);
        hit_layout_destroy(&layout);
    }
    hit_tile_destroy(&costs);
}
END_TEST

START_TEST(equal_processes_share_a_mask)
{
    static const char *const texts[] = {"block", "block:dims=0", "block:dims=1"};
    hit_tile *costs = make_costs("block", HIT_INT8, functions[_i]);

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        hit_layout *layout;

        HIT_MUST(hit_layout_from_costs(base, texts[k], costs, &layout));
        ck_assert_double_le(of_ideal(layout, functions[_i], false), 1.05);
        hit_layout_destroy(&layout);
    }
    hit_tile_destroy(&costs);
}
END_TEST

START_TEST(a_grid_is_kept)
{
    hit_tile *costs = make_costs("block", HIT_DOUBLE, triangle);
    char text[32];
    hit_layout *layout;

    (void)snprintf(text, sizeof text, "block:grid=1x%d", hit_size(base));
    HIT_MUST(hit_layout_from_costs(base, text, costs, &layout));
    for (int rank = 0; rank < hit_size(base); rank++) {
        hit_region part = {0};

        HIT_MUST(hit_layout_part(layout, rank, &part));
        ck_assert_int_eq(part.count, 1);
        ck_assert_int_eq(part.part[0].sig[0].begin, 0);
        ck_assert_int_eq(part.part[0].sig[0].end, N - 1);
        hit_region_clear(&part);
    }
    hit_layout_destroy(&layout);
    hit_tile_destroy(&costs);
}
END_TEST

/* As checkpoints do it. */
START_TEST(what_is_printed_makes_the_same_layout)
{
    static const char *const texts[] = {"block", "block:dims=1", "fpm2d", "cpm:dim=1"};
    hit_tile *costs = make_costs("blockcyclic:block=7", HIT_DOUBLE, uneven);

    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char printed[4096];
        char again[4096];
        hit_layout *layout;
        hit_layout *read;

        HIT_MUST(hit_layout_from_costs(base, texts[k], costs, &layout));
        HIT_MUST(hit_layout_print(layout, printed, sizeof printed));
        *strstr(printed, " splits") = '\0';
        HIT_MUST(hit_layout_create(base, hit_domain_of(N, M), printed, &read));
        HIT_MUST(hit_layout_print(read, again, sizeof again));
        ck_assert_int_eq(strncmp(again, printed, strlen(printed)), 0);
        hit_layout_destroy(&read);
        hit_layout_destroy(&layout);
    }
    hit_tile_destroy(&costs);
}
END_TEST

/* By a model, a slice takes the seconds of as many elements, times their mean cost. */
START_TEST(models_and_costs_go_together)
{
    hit_tile *costs = make_costs("block", HIT_DOUBLE, triangle);
    hit_layout *layout;

    HIT_MUST(hit_layout_from_costs(base, "fpm:models=tests/data/models/core.fpm", costs,
                                   &layout));
    if (hit_size(base) == 2) {
        char printed[256];

        HIT_MUST(hit_layout_print(layout, printed, sizeof printed));
        ck_assert_msg(strncmp(printed, "fpm:dim=0,shares=", 17) == 0, "%s", printed);
        ck_assert_double_le(of_ideal(layout, triangle, false), 1.2);
    }
    hit_layout_destroy(&layout);
    hit_tile_destroy(&costs);
}
END_TEST

static void expect_refusal(const char *text, hit_tile *costs, const char *words)
{
    hit_layout *layout = NULL;

    ck_assert_int_eq(hit_layout_from_costs(base, text, costs, &layout), HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "\"%s\" is not in \"%s\"",
                  words, hit_status_text());
    ck_assert_ptr_null(layout);
}

static double nothing(hit_index i, hit_index j)
{
    (void)i;
    (void)j;
    return 0;
}

static double wrong_at_the_end(hit_index i, hit_index j)
{
    return i == N - 1 && j == M - 1 ? -2 : 1;
}

START_TEST(what_makes_no_sense_is_refused)
{
    hit_tile *costs = make_costs("block", HIT_DOUBLE, triangle);
    hit_tile *zero = make_costs("block", HIT_DOUBLE, nothing);
    hit_tile *wrong = make_costs("single", HIT_DOUBLE, wrong_at_the_end);
    hit_tile *complex_costs;
    hit_layout *layout = NULL;

    HIT_MUST(hit_tile_make(base, hit_domain_of(4), "block", HIT_COMPLEX_FLOAT, "z",
                           &complex_costs));
    expect_refusal("cyclic", costs, "block, weighted, cpm, fpm, cpm2d and fpm2d");
    expect_refusal("nosuch", costs, "nosuch");
    expect_refusal("fpm", costs, "models=");
    expect_refusal("cpm:kernel=heat", costs, "unknown option kernel");
    expect_refusal("weighted:shares=1,2", costs, "unknown option shares");
    expect_refusal("fpm2d:rects=0.0.1.1", costs, "unknown option rects");
    expect_refusal("block:dims=2", costs, "dims=");
    expect_refusal("block:dims=4294967296", costs, "dims= below 2");
    expect_refusal("block:dims=0,1,0", costs, "dims=");
    expect_refusal("block:grid=9x9", costs, "grid=");
    expect_refusal("block", complex_costs, "real or whole");
    expect_refusal("block", zero, "all are 0");
    expect_refusal("block:dims=0", NULL, "NULL");
    ck_assert_int_eq(hit_layout_from_costs(base, "block", wrong, &layout),
                     hit_rank(base) == 0 ? HIT_E_ARG : HIT_E_PEER);
    ck_assert_msg(strstr(hit_status_text(), "-2 at 399:399 x 299:299") != NULL, "%s",
                  hit_status_text());
    ck_assert_int_eq(hit_layout_from_costs(NULL, "block", costs, &layout), HIT_E_ARG);
    hit_tile_destroy(&complex_costs);
    hit_tile_destroy(&wrong);
    hit_tile_destroy(&zero);
    hit_tile_destroy(&costs);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("costs");
    TCase *tests = tcase_create("all");

    tcase_add_loop_test(tests, each_process_gets_as_much_cost_as_it_is_fast, 0, 3);
    tcase_add_loop_test(tests, equal_processes_share_a_mask, 0, 2);
    tcase_add_test(tests, a_grid_is_kept);
    tcase_add_test(tests, what_is_printed_makes_the_same_layout);
    tcase_add_test(tests, models_and_costs_go_together);
    tcase_add_test(tests, what_makes_no_sense_is_refused);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
