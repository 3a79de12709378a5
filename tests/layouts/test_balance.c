/* SPDX-License-Identifier: MIT
 * A program that is balanced while it runs gives the same bits as one that is not.
 * Process 1 is made much slower, so that the tiles really move. Times are played. */
#include "hit/base/context.h"
#include "hit/data/region.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "layouts/balance.h"
#include "tests/layouts/nap.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/played_clock.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROWS = 120,
    COLUMNS = 400,
    LOOKS = 8,
    STEPS = 4, /* per look */
    KINDS = 3, /* of layouts */
    SEEDS = 2
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* heat_float, which takes NAP_S for each index. */
static hit_kernel heat;

static hit_status run_heat(const hit_run *run)
{
    played_clock_pass(NAP_S * (double)played_clock_indices(run, 2));
    return heat_float.host(run);
}

static hit_context *open_played(const char *devices)
{
    const hit_options options = {.devices = devices, .threads = 1};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    hit->clock = played_clock;
    return hit;
}

static void set(hit_tile *tile)
{
    hit_index x[HIT_MAX_DIMS];
    hit_view view;

    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        HIT_MUST(hit_tile_map(tile, piece, HIT_WRITE, &view));
        for (bool go = hit_domain_first(&view.domain, x); go;
             go = hit_domain_next(&view.domain, x)) {
            HIT_AT(view, float, x[0], x[1]) = (float)((7 * x[0] + 3 * x[1]) % 101);
        }
    }
}

/* The plate on process 0 after all steps; NULL elsewhere. */
static float *run(const char *devices, const char *text, bool balanced,
                  hit_balance_info *info)
{
    const hit_domain plate = hit_domain_of(ROWS, COLUMNS);
    hit_context *hit = open_played(devices);
    hit_layout *layout = NULL;
    hit_balance *balance = NULL;
    hit_tile *tile[2];
    float *result = NULL;

    HIT_MUST(hit_layout_create(hit, plate, text, &layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "plate", &tile[k]));
        set(tile[k]);
    }
    HIT_MUST(hit_balance_create(hit, &layout, -1, &balance));
    for (int t = 1; t <= LOOKS * STEPS; t++) {
        bool moved;

        HIT_MUST(hit_launch(hit, &heat, hit_domain_grow(plate, -1), tile[1], tile[0],
                            HIT_VALUE(0.2f)));
        hit_tile_swap(&tile[0], &tile[1]);
        if (!balanced || t % STEPS != 0) continue;
        HIT_MUST(hit_balance_step(balance, STEPS, 1e6, 2, tile, &moved));
    }
    hit_balance_get_info(balance, info);
    if (hit_rank(hit) == 0) {
        HIT_MUST(hit_memory_zeroed(ROWS * COLUMNS, sizeof(float), &result));
    }
    HIT_MUST(hit_tile_gather(tile[0], 0, result));
    hit_balance_destroy(&balance);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return result;
}

/* Rows, and rectangles. */
static const char *const layouts[KINDS] = {"block:dims=0", "block", "fpm2d"};

START_TEST(a_balanced_run_gives_the_same_bits)
{
    hit_balance_info still;
    hit_balance_info info;
    const char *text = layouts[_i];
    float *expected = run("host", text, false, &still);
    float *found =
        run("host;host:slow=40;host;host:slow=5@10;host;host;host", text, true, &info);
    bool same = true;

    for (int k = 0; k < ROWS * COLUMNS && expected != NULL; k++) {
        same = same && expected[k] == found[k];
    }
    free(expected);
    free(found);
    ck_assert(same);
    ck_assert_int_eq(info.looks, LOOKS);
    ck_assert_int_eq(still.looks, 0);
    if (hit_size(base) > 1) ck_assert_int_ge(info.moves, 1);
    if (hit_size(base) == 1) ck_assert_int_eq(info.moves, 0);
}
END_TEST

/* The last process has no memory for the times, the decision, or the next layout. */
START_TEST(a_failing_allocation_leaves_no_process_waiting)
{
    const hit_domain plate = hit_domain_of(ROWS, COLUMNS);
    hit_context *hit = open_played("host;host:slow=40;host;host;host;host;host");
    hit_layout *layout = NULL;
    hit_balance *balance = NULL;
    hit_tile *tile[2];

    HIT_MUST(hit_layout_create(hit, plate, layouts[0], &layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "plate", &tile[k]));
        set(tile[k]);
    }
    HIT_MUST(hit_balance_create(hit, &layout, -1, &balance));
    for (int number = 1; number <= 2 && hit_size(hit) > 1; number++) {
        hit_status status;
        bool moved;

        for (int t = 0; t < STEPS; t++) {
            HIT_MUST(hit_launch(hit, &heat, hit_domain_grow(plate, -1), tile[1], tile[0],
                                HIT_VALUE(0.2f)));
        }
        HIT_MUST(hit_wait(hit));
        test_fault.kind = FAULT_ALLOCATION;
        test_fault.fail_at = hit_rank(hit) == hit_size(hit) - 1 ? number : 0;
        test_fault_begin();
        status = hit_balance_step(balance, STEPS, 1e6, 2, tile, &moved);
        test_fault.on = false;
        ck_assert_int_eq(status, test_fault.fail_at > 0 ? HIT_E_NOMEM : HIT_E_PEER);
        ck_assert(!moved);
    }
    hit_balance_destroy(&balance);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_layout_destroy(&layout);
    hit_close(&hit);
}
END_TEST

/* The possible seconds of a step / those that it takes by the parts that processes have,
 * if process 1 takes so many times as long for an index as the others. */
static double part_of_possible(const hit_layout *layout, double factor)
{
    const int size = hit_layout_ranks(layout);
    double most = 0;

    for (int p = 0; p < size; p++) {
        hit_region part = {0};

        HIT_MUST(hit_layout_part(layout, p, &part));
        most = fmax(most, (double)hit_region_count(&part) * (p == 1 ? factor : 1));
        hit_region_clear(&part);
    }
    return ROWS * COLUMNS / (size - 1 + 1 / factor) / most;
}

/* Process 1 becomes four times slower after half of the steps. Times are exact (seed 0),
 * or disturbed: single looks are wrong. */
START_TEST(what_becomes_slow_in_the_middle_is_regained)
{
    const int seed = _i / KINDS;
    const int steps = seed == 0 ? 48 : 120; /* it takes looks that confirm each other */
    const double least = seed == 0 ? 0.9 : 0.8;
    const hit_domain plate = hit_domain_of(ROWS, COLUMNS);
    hit_context *hit = open_played("host");
    hit_layout *layout = NULL;
    hit_balance *balance = NULL;
    hit_balance_info info;
    hit_tile *tile[2];

    if (seed > 0) nap_disturb((uint64_t)(100 * seed + hit_rank(hit)), 2);
    HIT_MUST(hit_layout_create(hit, plate, layouts[_i % KINDS], &layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "plate", &tile[k]));
    }
    HIT_MUST(hit_balance_create(hit, &layout, -1, &balance));
    for (int t = 1; t <= steps; t++) {
        bool moved;

        HIT_MUST(hit_launch(hit, &nap, hit_domain_grow(plate, -1), tile[1], tile[0]));
        if (t % STEPS != 0) continue;
        HIT_MUST(hit_balance_step(balance, STEPS, 1e6, 2, tile, &moved));
        if (t != steps / 2) continue;
        ck_assert(part_of_possible(layout, 1) >= least);
        if (hit_rank(hit) == 1) nap_slow_down(4);
    }
    nap_slow_down(1);
    nap_disturb(0, 0);
    hit_balance_get_info(balance, &info);
    if (hit_size(hit) > 1) {
        ck_assert_int_ge(info.moves, 1);
        ck_assert(part_of_possible(layout, 4) >= least); /* 0.4 and less without */
    }
    hit_balance_destroy(&balance);
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_layout_destroy(&layout);
    hit_close(&hit);
}
END_TEST

START_TEST(layouts_that_are_not_boxes_are_refused)
{
    const hit_domain plate = hit_domain_of(ROWS, COLUMNS);
    hit_layout *layout = NULL;
    hit_balance *balance = NULL;

    HIT_MUST(hit_layout_create(base, plate, "cyclic", &layout));
    if (hit_size(base) > 1) {
        ck_assert_int_eq(hit_balance_create(base, &layout, 0, &balance), HIT_E_ARG);
        ck_assert_int_eq(hit_balance_create(base, &layout, -1, &balance), HIT_E_ARG);
    }
    ck_assert_int_eq(hit_balance_create(base, &layout, 2, &balance), HIT_E_ARG);
    ck_assert_int_eq(hit_balance_create(NULL, &layout, 0, &balance), HIT_E_ARG);
    ck_assert_ptr_null(balance);
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("balance");
    TCase *tests = tcase_create("all");

    heat = heat_float;
    heat.host = run_heat;
    tcase_add_loop_test(tests, a_balanced_run_gives_the_same_bits, 0, KINDS);
    tcase_add_test(tests, a_failing_allocation_leaves_no_process_waiting);
    tcase_add_loop_test(tests, what_becomes_slow_in_the_middle_is_regained, 0,
                        SEEDS * KINDS);
    tcase_add_test(tests, layouts_that_are_not_boxes_are_refused);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
