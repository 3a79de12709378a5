/* SPDX-License-Identifier: MIT
 * From the second launch of a kind on nothing is allocated: in place, on tiles that stay
 * on the device, in three lanes, and one superblock at a time. A trace that finds no
 * memory is no failure. */
#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel blend, bump, multiply;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* ---- launches ---- */

enum {
    N = 40,
    TILES = 3,
    TIMES = 5
};

typedef enum how {
    IN_PLACE,
    RESIDENT,
    STREAMED,
    ONE_AT_A_TIME
} how;

typedef struct program {
    hit_context *hit;
    hit_tile *tile[TILES];
} program;

static void set_up(program *p, const char *devices)
{
    const int64_t one = 1;
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    HIT_MUST(hit_layout_create(p->hit, hit_domain_of(N, N), "single", &layout));
    for (int k = 0; k < TILES; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &p->tile[k]));
        HIT_MUST(hit_tile_fill(p->tile[k], &one));
    }
    hit_layout_destroy(&layout);
}

static void tear_down(program *p)
{
    for (int k = 0; k < TILES; k++) {
        hit_tile_destroy(&p->tile[k]);
    }
    hit_close(&p->hit);
}

/* A step and the step back, elements that change, and a sum that may be cut. */
static void launch_all(const program *p)
{
    const hit_domain all = hit_domain_of(N, N);
    const hit_domain inner =
        hit_domain_box(2, (hit_index[]){1, 2}, (hit_index[]){N - 2, N - 2});
    hit_tile *const *t = p->tile;

    HIT_MUST(hit_launch(p->hit, &blend, inner, t[0], t[1]));
    HIT_MUST(hit_launch(p->hit, &blend, inner, t[1], t[0]));
    HIT_MUST(hit_launch(p->hit, &bump, all, t[2], HIT_VALUE((int64_t)3)));
    HIT_MUST(hit_launch(p->hit, &multiply, all, t[2], t[0], t[1]));
    HIT_MUST(hit_wait(p->hit));
}

static bool went(const hit_superblocks *made, how expected)
{
    switch (expected) {
    case RESIDENT:
        return made->arena_bytes == 0 && made->plan.pieces == 1;
    case STREAMED:
        return made->arena_bytes > 0 && made->buffers[0] > 0 && made->plan.pieces >= 4;
    case ONE_AT_A_TIME:
        return made->arena_bytes > 0 && made->buffers[0] == 0;
    default:
        return made->plan.pieces == 0;
    }
}

/* So many launches went as they were meant to. */
static int count(const program *p, how expected)
{
    const hit_launcher *launcher = p->hit->launcher;
    int found = 0;

    for (int k = 0; k < launcher->plans; k++) {
        found += went(&launcher->plan[k]->part[0].superblocks, expected);
    }
    return found;
}

static void expect_none(const char *devices, how expected, int at_least)
{
    program p = {.hit = NULL};

    set_up(&p, devices);
    /* a new chain takes a place, once */
    if (expected == STREAMED) HIT_MUST(hit_chain(p.hit, HIT_CHAIN_OFF));
    launch_all(&p);
    test_fault_begin();
    for (int n = 0; n < TIMES; n++) {
        launch_all(&p);
    }
    ck_assert_int_eq((int)test_fault.count[FAULT_ALLOCATION], 0);
    ck_assert_int_ge(count(&p, expected), at_least);
    tear_down(&p);
}

START_TEST(second_launches_in_place_allocate_nothing)
{
    expect_none("host:threads=1", IN_PLACE, 3);
}
END_TEST

START_TEST(second_launches_on_what_stays_allocate_nothing)
{
    expect_none("host:threads=1:memory=1MiB", RESIDENT, 3);
}
END_TEST

START_TEST(second_streamed_launches_allocate_nothing)
{
    expect_none("host:threads=1:memory=4000", STREAMED, 3);
}
END_TEST

START_TEST(second_launches_one_superblock_at_a_time_allocate_nothing)
{
    expect_none("host:threads=1:memory=150", ONE_AT_A_TIME, 1);
}
END_TEST

START_TEST(events_that_are_lost_leave_the_text_of_the_last_failure)
{
    hit_trace *trace = NULL;

    HIT_MUST(hit_trace_create(&trace));
    ck_assert_int_eq(HIT_FAIL(HIT_E_DEVICE, "the kernel did not want"), HIT_E_DEVICE);
    test_fault.kind = FAULT_ALLOCATION;
    test_fault.fail_at = 1;
    test_fault_begin();
    hit_trace_put(trace, HIT_TRACE_LAUNCH, &(hit_trace_event){.what = "none"});
    test_fault.on = false;
    test_fault.fail_at = 0;
    ck_assert_uint_eq(trace->list[HIT_TRACE_LAUNCH].lost, 1);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "did not want"));
    hit_trace_destroy(&trace);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("allocations");
    TCase *tests = tcase_create("allocations");

    tcase_add_test(tests, second_launches_in_place_allocate_nothing);
    tcase_add_test(tests, second_launches_on_what_stays_allocate_nothing);
    tcase_add_test(tests, second_streamed_launches_allocate_nothing);
    tcase_add_test(tests, second_launches_one_superblock_at_a_time_allocate_nothing);
    tcase_add_test(tests, events_that_are_lost_leave_the_text_of_the_last_failure);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
